/** The conversations that this client watches over the socket. */

/** The most conversations that stay watched, so that returning to one is instant. The server allows 50. */
export const WATCHED_LIMIT = 12;

/** The watched conversations, and which of them the server has not confirmed on this connection. */
export class WatchedConversations {
  /** Least recently opened first. */
  #order: readonly string[] = [];
  readonly #unconfirmed = new Set<string>();

  /** All watched conversations, least recently opened first. */
  get all(): readonly string[] {
    return this.#order;
  }

  /** Whether `c` is watched. */
  has(c: string): boolean {
    return this.#order.includes(c);
  }

  /** Makes `c` the most recently opened one. Returns those beyond the limit, which are no longer watched. */
  open(c: string): readonly string[] {
    const order = [...this.#order.filter((other) => other !== c), c];
    this.#order = order.slice(-WATCHED_LIMIT);
    return order.slice(0, -WATCHED_LIMIT);
  }

  /** The watch of `c` was sent. */
  requested(c: string): void {
    this.#unconfirmed.add(c);
  }

  /** The server confirmed the watch of `c`. */
  confirmed(c: string): void {
    this.#unconfirmed.delete(c);
  }

  /** The server refused something about `c`. Returns true where that was its watch, which has ended then. */
  refused(c: string): boolean {
    if (!this.#unconfirmed.delete(c)) return false;
    this.#order = this.#order.filter((other) => other !== c);
    return true;
  }

  /** The connection was lost, and every request on it. */
  connectionLost(): void {
    this.#unconfirmed.clear();
  }
}
