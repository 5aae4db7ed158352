/** An observable value. `subscribe` and `get` have the signatures of React's useSyncExternalStore. */
export class Store<State extends object> {
  readonly #watchers = new Set<() => void>();
  #queued = false;
  #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  readonly get = (): State => this.#state;

  /** Calls `watcher` once per burst of changes, after the code that made them. Returns the way to stop. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  };

  /** Replaces what differs. Watchers are called only if something does. */
  set(change: Partial<State>): void {
    const keys = Object.keys(change) as (keyof State)[];
    if (keys.every((key) => Object.is(this.#state[key], change[key]))) return;
    this.#state = { ...this.#state, ...change };
    if (this.#queued) return;
    this.#queued = true;
    queueMicrotask(() => {
      this.#queued = false;
      for (const watcher of [...this.#watchers]) watcher();
    });
  }
}
