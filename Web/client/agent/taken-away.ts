/** Which conversations a person loses without doing anything for it. Pure. */
import type { AgentState } from "./agent-state";
import type { InboxRow } from "../conversation/events";
import type { Entry } from "../core/outbox";

/** A conversation that was the person's and no longer is. */
export interface TakenAway {
  readonly row: InboxRow;
  /** `takenOver`: `row.toName` answers now; `transferred`: it is reserved for someone else; `queued`: it waits. */
  readonly how: "takenOver" | "transferred" | "queued";
}

/** Compares the states of the inbox, and remembers what the person did themselves. */
export class TakenAwayConversations {
  #mine: ReadonlySet<string> = new Set();
  readonly #given = new Set<string>();

  /** Takes the new state. Returns the conversations that somebody else took away since the last one. */
  done({ outbox, inbox, me, problems }: AgentState): readonly TakenAway[] {
    const pending = new Set(outbox.filter(gives).map(({ c }) => c ?? ""));
    for (const c of pending) this.#given.add(c);
    const before = this.#mine;
    const isMine = (row: InboxRow): boolean => row.status === "open" && row.to === me;
    this.#mine = new Set([...inbox.rows.values()].filter(isMine).map(({ c }) => c));
    const lost = [...before].filter((c) => !this.#mine.has(c));
    const taken = lost.filter((c) => !this.#given.has(c)).flatMap((c): TakenAway[] => {
      const row = inbox.rows.get(c);
      if (row === undefined || row.status === "closed") return [];
      if (row.status === "open") return [{ row, how: "takenOver" }];
      return [{ row, how: row.routing?.for === undefined ? "queued" : "transferred" }];
    });
    for (const c of this.#given) if (!pending.has(c) && (lost.includes(c) || problems.has(c))) this.#given.delete(c);
    return taken;
  }
}

const gives = ({ command }: Entry): boolean => command.kind === "close" || (
  command.kind === "ask" && ("transfer" in command.ask || "closeQuietly" in command.ask)
);
