/** What the client needs from the outside world, and what tests replace. */

/** Names a timer of a clock. */
export type TimerID = number;

/** Time, as an argument. `after` returns an id that `cancel` takes back. */
export interface Clock {
  now(): number;
  after(ms: number, run: () => void): TimerID;
  cancel(id: TimerID): void;
}

/** A WebSocket, or something that behaves like one. Callbacks are set once, right after it was made. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((message: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: (() => void) | null;
  send(text: string): void;
  close(code?: number): void;
}

/** A storage that survives a reload. It may throw (full, blocked); callers then continue in memory. */
export interface KeyValue {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
  remove(key: string): void;
  keys(): string[];
}

/** 0 ≤ x < 1. */
export type Random = () => number;

/** Stores values while the page is open: used where storage is blocked. */
export class MemoryStore implements KeyValue {
  readonly #map = new Map<string, string>();
  get(key: string): string | undefined {
    return this.#map.get(key);
  }
  set(key: string, value: string): void {
    this.#map.set(key, value);
  }
  remove(key: string): void {
    this.#map.delete(key);
  }
  keys(): string[] {
    return [...this.#map.keys()];
  }
}
