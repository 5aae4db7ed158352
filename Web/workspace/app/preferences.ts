import { useSyncExternalStore } from "react";
import { browserStore } from "../../client/core/browser";
import { Store } from "../../client/core/store";

/** What a person chose for this browser. Nothing of it is secret. */
export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  /** Single-key shortcuts; WCAG 2.1.4 wants a way to switch them off. */
  readonly keys: boolean;
  /** The consumer's card stands beside the conversation, where there is room. */
  readonly card: boolean;
  /** A sound when something rings. */
  readonly sound: boolean;
  /** Desktop notifications, once the browser allowed them. */
  readonly notify: boolean;
  /** What the sign-in page fills in. */
  readonly account: string;
  readonly email: string;
}

const NAME = "earshot.preferences";
const defaults: Preferences = { theme: "system", keys: true, card: true, sound: true, notify: false, account: "", email: "" };
const storage = browserStore();
const store = new Store<Preferences>({ ...defaults, ...saved() });

/** The preferences now, outside React. */
export const preferences = store.get;

/** The preferences now; the component draws again when they change. */
export function usePreferences(): Preferences {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Changes some and keeps them. */
export function prefer(change: Partial<Preferences>): void {
  store.set(change);
  try {
    storage.set(NAME, JSON.stringify(store.get()));
  } catch {
    return;
  }
}

/** Shows a theme: the system's, unless the person chose one. */
export function applyTheme(theme: Preferences["theme"]): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

function saved(): Partial<Preferences> {
  try {
    return JSON.parse(storage.get(NAME) ?? "{}") as Partial<Preferences>;
  } catch {
    return {};
  }
}
