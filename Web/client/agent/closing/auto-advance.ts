/** After an agent's own conversation is closed, the next one opens. Pure. */
import { listed, type Inbox, type Viewer } from "../inbox";
import type { AgentState } from "../agent-state";
import type { InboxRow } from "../../conversation/events";
import type { Entry } from "../../core/outbox";

/** A conversation that this person closed. `own`: they answered it. */
export interface Closed {
  readonly c: string;
  readonly own: boolean;
}

/**
 * Remembers which conversations a person closes. Only those that they answered lead to the next one, not what a manager
 * closes for someone else.
 */
export class AutoAdvance {
  readonly #asked = new Map<string, boolean>();

  /** Takes the new state. Returns the conversations that this person closed, and that are closed now. */
  done({ outbox, inbox, problems, me }: AgentState): readonly Closed[] {
    const asks = new Set(outbox.filter(closes).map(({ c }) => c));
    for (const [c, row] of inbox.rows) {
      if (asks.has(c) && row.status !== "closed") this.#asked.set(c, row.status === "open" && row.to === me);
    }
    for (const c of this.#asked.keys()) if (!asks.has(c) && problems.has(c)) this.#asked.delete(c);
    const over = [...this.#asked].filter(([c]) => inbox.rows.get(c)?.status === "closed");
    for (const [c] of over) this.#asked.delete(c);
    return over.map(([c, own]) => ({ c, own }));
  }
}

const closes = ({ command }: Entry): boolean => command.kind === "close" || (
  command.kind === "ask" && "closeQuietly" in command.ask
);

/** The agent's own conversation with the least time left, other than `c`. */
export function nextOfMine(inbox: Inbox, who: Viewer, now: number, c: string): InboxRow | undefined {
  return listed(inbox, "mine", who, now).flatMap(({ rows }) => rows).find((row) => row.c !== c);
}
