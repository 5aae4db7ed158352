/** After an agent's own conversation is closed, the next one opens. Pure. */
import { listed, type Inbox, type Viewer } from "./inbox";
import type { AgentState } from "./agent-state";
import type { InboxRow } from "../conversation/events";
import type { Entry } from "../core/outbox";

/**
 * Remembers which conversations an agent closes who answered them. Only these lead to the next one, not what a manager
 * closes for someone else.
 */
export class AutoAdvance {
  readonly #asked = new Set<string>();

  /**
   * Takes the new state. Returns the conversations that this agent closed while answering them, and that are closed
   * now.
   */
  done({ outbox, inbox, problems, me }: AgentState): readonly string[] {
    const asks = new Set(outbox.filter(closes).map(({ c }) => c));
    for (const [c, row] of inbox.rows) if (asks.has(c) && row.status === "open" && row.to === me) this.#asked.add(c);
    for (const c of this.#asked) if (!asks.has(c) && problems.has(c)) this.#asked.delete(c);
    const over = [...this.#asked].filter((c) => inbox.rows.get(c)?.status === "closed");
    for (const c of over) this.#asked.delete(c);
    return over;
  }
}

const closes = ({ command }: Entry): boolean => command.kind === "close" || (
  command.kind === "ask" && "closeQuietly" in command.ask
);

/** The agent's own conversation with the least time left, other than `c`. */
export function nextOfMine(inbox: Inbox, who: Viewer, now: number, c: string): InboxRow | undefined {
  return listed(inbox, "mine", who, now).flatMap(({ rows }) => rows).find((row) => row.c !== c);
}
