import { useSyncExternalStore } from "react";
import { Store } from "../../client/core/store";
import { usePage } from "./page-context";

/** The time of day, updated every second while a component uses it. One timer serves all countdowns of the page. */
export class TickingClock {
  readonly #store = new Store<{ now: number }>({ now: Date.now() });
  #subscribers = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** The newest time, in milliseconds since 1970. */
  readonly now = (): number => this.#store.get().now;

  /** Calls `listener` every second. Returns the way to stop. */
  readonly subscribe = (listener: () => void): () => void => {
    const unsubscribe = this.#store.subscribe(listener);
    this.#subscribers += 1;
    if (this.#subscribers === 1) this.#start();
    return () => {
      unsubscribe();
      this.#subscribers -= 1;
      if (this.#subscribers === 0) clearInterval(this.#timer);
    };
  };

  #start(): void {
    this.#store.set({ now: Date.now() });
    this.#timer = setInterval(() => this.#store.set({ now: Date.now() }), 1000);
  }
}

/** The current time; the component renders again every second. */
export function useTick(): number {
  const { clock } = usePage();
  return useSyncExternalStore(clock.subscribe, clock.now);
}

/** A value derived from the current time; the component renders again only when the value changes. */
export function useTicked<T extends string | number | boolean>(read: (now: number) => T): T {
  const { clock } = usePage();
  return useSyncExternalStore(clock.subscribe, () => read(clock.now()));
}
