import { type ReactElement, useSyncExternalStore } from "react";
import { Store } from "../../client/core/store";
import { usePage } from "../app/page-context";

/** What screen readers are told. */
export class Announcements {
  readonly store = new Store<{ text: string; turn: number }>({ text: "", turn: 0 });

  /** Says a text to people who hear the page instead of seeing it. */
  readonly say = (text: string): void => this.store.set({ text, turn: this.store.get().turn + 1 });
}

/** The page's only live region. Two alternating paragraphs, so that the same text announced twice is read twice. */
export function Announcer(): ReactElement {
  const { store } = usePage().announcements;
  const { text, turn } = useSyncExternalStore(store.subscribe, store.get);
  return (
    <div className="aloud" aria-live="polite">
      <p>{turn % 2 === 0 ? text : ""}</p>
      <p>{turn % 2 === 1 ? text : ""}</p>
    </div>
  );
}
