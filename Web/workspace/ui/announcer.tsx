import { useSyncExternalStore, type ReactElement } from "react";
import { Store } from "../../client/core/store";

const store = new Store<{ text: string; turn: number }>({ text: "", turn: 0 });

/** Says something to people who hear the page instead of seeing it. */
export function announce(text: string): void {
  store.set({ text, turn: store.get().turn + 1 });
}

/** The one place of the page that screen readers listen to. Two turns, so that the same words twice are played twice. */
export function Announcer(): ReactElement {
  const { text, turn } = useSyncExternalStore(store.subscribe, store.get);
  return (
    <div className="aloud" aria-live="polite">
      <p>{turn % 2 === 0 ? text : ""}</p>
      <p>{turn % 2 === 1 ? text : ""}</p>
    </div>
  );
}
