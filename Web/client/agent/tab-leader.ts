/** Elects the one tab of an agent that plays sounds. Another tab takes over as soon as that one closes. */

/** The part of the browser's `LockManager` that is needed. */
export interface Locks {
  request(name: string, options: { signal?: AbortSignal }, held: () => Promise<void>): Promise<unknown>;
}

/** Leads, or waits to lead. */
export class TabLeader {
  #leads = false;
  readonly #end: AbortController | undefined;
  #release: () => void = () => {};
  readonly #changed: (leads: boolean) => void;

  /** Without `locks` (an old browser, or a page without TLS) every tab leads: two sounds are better than none. */
  constructor(locks: Locks | undefined, name: string, changed: (leads: boolean) => void = () => {}) {
    this.#changed = changed;
    if (locks === undefined) {
      this.#lead();
      return;
    }
    this.#end = new AbortController();
    const held = (): Promise<void> => {
      this.#lead();
      return new Promise((release) => (this.#release = release));
    };
    locks.request(name, { signal: this.#end.signal }, held).catch(() => {});
  }

  get leads(): boolean {
    return this.#leads;
  }

  /** Resigns, or stops waiting to lead. */
  resign(): void {
    this.#leads = false;
    this.#end?.abort();
    this.#release();
  }

  #lead(): void {
    this.#leads = true;
    this.#changed(true);
  }
}
