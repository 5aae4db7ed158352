/** What I close goes out of my hands when the server says so, and then the next one of mine is at hand. Pure. */
import { listed, type Inbox, type Viewer } from "./inbox";
import type { AgentState } from "./agent-state";
import type { InboxRow } from "../conversation/events";
import type { Entry } from "../core/outbox";

/** Remembers which conversations somebody closes whom they were with: only these lead on to the next one, and not what a manager closes for another. */
export class AutoAdvance {
  readonly #asked = new Set<string>();

  /** Takes a state in. What was asked to be closed while it was mine, and is closed now. */
  done({ outbox, inbox, problems, me }: AgentState): readonly string[] {
    const asks = new Set(outbox.filter(closes).map(({ c }) => c));
    for (const [c, row] of inbox.rows) if (asks.has(c) && row.status === "open" && row.to === me) this.#asked.add(c);
    for (const c of this.#asked) if (!asks.has(c) && problems.has(c)) this.#asked.delete(c);
    const over = [...this.#asked].filter((c) => inbox.rows.get(c)?.status === "closed");
    for (const c of over) this.#asked.delete(c);
    return over;
  }
}

const closes = ({ command }: Entry): boolean => command.kind === "close" || (command.kind === "ask" && "closeQuietly" in command.ask);

/** The one of mine with the least time left, but for `c`. */
export function nextOfMine(inbox: Inbox, who: Viewer, now: number, c: string): InboxRow | undefined {
  return listed(inbox, "mine", who, now).flatMap(({ rows }) => rows).find((row) => row.c !== c);
}
