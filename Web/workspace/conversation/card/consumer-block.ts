import { isBlocked, setBlocked } from "../../../client/agent/access";
import type { Fetch } from "../../../client/core/api";
import { Store } from "../../../client/core/store";

interface State {
  /** Whether the consumer is blocked; `undefined` until the server told. */
  readonly blocked: boolean | undefined;
  readonly busy: boolean;
  /** The state could not be loaded, or not be changed. */
  readonly problem: "notLoaded" | "notChanged" | undefined;
}

/** Whether the consumer of one conversation is blocked, and the change of it. */
export class ConsumerBlock {
  readonly store = new Store<State>({ blocked: undefined, busy: false, problem: undefined });
  readonly #fetch: Fetch;
  readonly #csrf: () => string;
  readonly #c: string;

  constructor(fetch: Fetch, csrf: () => string, c: string) {
    this.#fetch = fetch;
    this.#csrf = csrf;
    this.#c = c;
  }

  /** Asks the server whether the consumer is blocked. */
  async load(): Promise<void> {
    this.store.set({ problem: undefined });
    try {
      this.store.set({ blocked: await isBlocked(this.#fetch, this.#c) });
    } catch {
      this.store.set({ problem: "notLoaded" });
    }
  }

  /** Blocks the consumer, or lifts the block. Returns whether it worked. One change at a time. */
  async change(blocked: boolean): Promise<boolean> {
    if (this.store.get().busy) return false;
    this.store.set({ busy: true, problem: undefined });
    try {
      await setBlocked(this.#fetch, this.#csrf(), this.#c, blocked);
      this.store.set({ blocked, busy: false });
      return true;
    } catch {
      this.store.set({ busy: false, problem: "notChanged" });
      return false;
    }
  }
}
