import { endSession, type OwnSession, ownSessions } from "../../../client/agent/access";
import { type Fetch, HTTPProblem } from "../../../client/core/api";
import { Store } from "../../../client/core/store";

interface State {
  /** The sessions; `undefined` until they were loaded. */
  readonly sessions: readonly OwnSession[] | undefined;
  /** Loading failed, or a session could not be ended. */
  readonly problem: "notLoaded" | "notEnded" | undefined;
  /** The sessions that are being ended. */
  readonly ending: ReadonlySet<string>;
}

/** The person's own sessions, as the dialog lists and ends them. */
export class OwnSessions {
  readonly store = new Store<State>({ sessions: undefined, problem: undefined, ending: new Set() });
  readonly #fetch: Fetch;
  readonly #csrf: () => string;

  constructor(fetch: Fetch, csrf: () => string) {
    this.#fetch = fetch;
    this.#csrf = csrf;
  }

  /** Loads the sessions: this page's first, then the newest. */
  async load(): Promise<void> {
    this.store.set({ problem: undefined });
    try {
      const sessions = await ownSessions(this.#fetch);
      this.store.set({ sessions: [...sessions].sort((a, b) => Number(b.current) - Number(a.current)) });
    } catch {
      this.store.set({ problem: "notLoaded" });
    }
  }

  /** Ends sessions one after the other. Stops at the first failure. Returns how many were ended. */
  async end(ids: readonly string[]): Promise<number> {
    this.store.set({ problem: undefined, ending: new Set(ids) });
    let ended = 0;
    try {
      for (const id of ids) {
        await this.#end(id);
        ended += 1;
      }
    } catch {
      this.store.set({ problem: "notEnded" });
    }
    this.store.set({ ending: new Set() });
    return ended;
  }

  async #end(id: string): Promise<void> {
    try {
      await endSession(this.#fetch, this.#csrf(), id);
    } catch (error) {
      // The session ended by itself in the meantime.
      if (!(error instanceof HTTPProblem) || error.status !== 404) throw error;
    }
    this.store.set({ sessions: this.store.get().sessions?.filter((one) => one.id !== id) });
  }
}
