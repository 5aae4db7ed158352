import { useSyncExternalStore } from "react";
import { Store } from "../../client/core/store";

/** One timer for everything on the page that counts down, and none while nothing does. */
const store = new Store<{ now: number }>({ now: Date.now() });
let watching = 0;
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  const end = store.subscribe(listener);
  watching += 1;
  if (watching === 1) {
    store.set({ now: Date.now() });
    timer = setInterval(() => store.set({ now: Date.now() }), 1000);
  }
  return () => {
    end();
    watching -= 1;
    if (watching === 0) clearInterval(timer);
  };
}

/** The time, every second. */
export function useTick(): number {
  return useSyncExternalStore(subscribe, store.get).now;
}

/** What `read` makes of the time, every second; draws again only where that has changed. */
export function useTicked<T extends string | number | boolean>(read: (now: number) => T): T {
  return useSyncExternalStore(subscribe, () => read(store.get().now));
}
