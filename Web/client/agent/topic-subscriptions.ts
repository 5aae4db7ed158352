/**
 * Subscriptions to topics that the server sends only on request. However many places of the page subscribe, one frame
 * is sent, and again on every new connection.
 */
import { standingFrame } from "./agent-wire";

type What = "team" | "wall";

/** Counts who subscribed to each topic. */
export class TopicSubscriptions {
  readonly #wanted = new Map<What, number>();
  readonly #send: (frame: string) => boolean;

  constructor(send: (frame: string) => boolean) {
    this.#send = send;
  }

  /** Wants to know; the answer ends that. */
  subscribe(what: What): () => void {
    this.#count(what, 1);
    let ended = false;
    return () => {
      if (!ended) this.#count(what, -1);
      ended = true;
    };
  }

  reconnected(): void {
    for (const [what, count] of this.#wanted) if (count > 0) this.#send(standingFrame(what, true));
  }

  #count(what: What, by: 1 | -1): void {
    const before = this.#wanted.get(what) ?? 0;
    this.#wanted.set(what, before + by);
    if (before === 0 || before + by === 0) this.#send(standingFrame(what, by > 0));
  }
}
