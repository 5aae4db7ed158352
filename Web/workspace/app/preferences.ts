import { useSyncExternalStore } from "react";
import { browserStore } from "../../client/core/browser";
import { Store } from "../../client/core/store";
import { usePage } from "./page-context";

/** The settings a person chose in this browser. None of them is secret. */
export interface Preferences {
  readonly theme: "system" | "light" | "dark";
  /** Single-key shortcuts; WCAG 2.1.4 requires a way to switch them off. */
  readonly keys: boolean;
  /** Show the consumer's card next to the conversation, where there is room. */
  readonly card: boolean;
  /** Play a sound for a new offer. */
  readonly sound: boolean;
  /** Show desktop notifications, once the browser has allowed them. */
  readonly notify: boolean;
  /** The account and e-mail address that the sign-in form fills in. */
  readonly account: string;
  readonly email: string;
  /** By account: whether its first steps are shown or hidden; `page`: someone wrote from a page of its own. */
  readonly steps: Readonly<Record<string, "shown" | "page" | "hidden">>;
}

const NAME = "earshot.preferences";
const defaults: Preferences = {
  theme: "system",
  keys: true,
  card: true,
  sound: true,
  notify: false,
  account: "",
  email: "",
  steps: {},
};

/** Keeps the preferences in the browser's storage. */
export class PreferenceStore {
  readonly #storage = browserStore();
  readonly #store = new Store<Preferences>({ ...defaults, ...this.#saved() });

  /** The current preferences. */
  readonly get = (): Preferences => this.#store.get();

  /** Calls `listener` after each change. Returns the way to stop. */
  readonly subscribe = (listener: () => void): () => void => this.#store.subscribe(listener);

  /** Changes some preferences and saves them. Without storage they last until the page is reloaded. */
  readonly set = (change: Partial<Preferences>): void => {
    this.#store.set(change);
    try {
      this.#storage.set(NAME, JSON.stringify(this.#store.get()));
    } catch {
      return;
    }
  };

  #saved(): Partial<Preferences> {
    try {
      return JSON.parse(this.#storage.get(NAME) ?? "{}") as Partial<Preferences>;
    } catch {
      return {};
    }
  }
}

/** The current preferences; the component renders again when they change. */
export function usePreferences(): Preferences {
  const { preferences } = usePage();
  return useSyncExternalStore(preferences.subscribe, preferences.get);
}

/** Applies a theme to the page; "system" follows the operating system. */
export function applyTheme(theme: Preferences["theme"]): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
