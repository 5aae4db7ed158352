/** Which conversations the socket watches for us. */

/** So many stay watched, so that going back to one is instant. The server allows 50. */
export const WATCHED_LIMIT = 12;

/** Refusals that can only mean a watch, for everything else that an agent says has a key or cannot be refused so. */
const REFUSALS = ["not_found", "forbidden", "too_many_watches"];

export class WatchList {
  /** Least recently opened first. */
  private order: string[] = [];
  /** Asked for and not answered, in order: a refusal does not name its conversation, but answers come in order. */
  private asked: string[] = [];

  get all(): readonly string[] {
    return this.order;
  }

  has(c: string): boolean {
    return this.order.includes(c);
  }

  /** Puts `c` on top; returns those that fall out at the bottom. */
  opened(c: string): string[] {
    this.order = [...this.order.filter((other) => other !== c), c];
    return this.order.splice(0, Math.max(0, this.order.length - WATCHED_LIMIT));
  }

  asks(c: string): void {
    this.asked.push(c);
  }

  answered(c: string): void {
    const at = this.asked.indexOf(c);
    if (at >= 0) this.asked.splice(at, 1);
  }

  /** A frame without a key was refused: which watch that was, if it was one. */
  refused(code: string): string | undefined {
    const c = REFUSALS.includes(code) ? this.asked.shift() : undefined;
    this.order = this.order.filter((other) => other !== c);
    return c;
  }

  /** The socket is gone, and what was asked on it with it. */
  lost(): void {
    this.asked = [];
  }
}
