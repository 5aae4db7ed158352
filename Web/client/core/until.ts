/** Waits for a state. */
import type { Store } from "./store";

/** Waits until the state of a store is as asked. */
export function until<State extends object>(store: Store<State>, is: (state: State) => boolean): Promise<void> {
  return new Promise((done) => {
    const look = (): void => {
      if (!is(store.get())) return;
      unwatch();
      done();
    };
    const unwatch = store.subscribe(look);
    look();
  });
}
