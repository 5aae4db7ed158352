import { createContext, useContext } from "react";
import { Announcements } from "../ui/announcer";
import { type ToastAction, Toasts } from "../ui/toast";
import { TickingClock } from "./clock";
import { PartLoader } from "./lazy-parts/lazy-part";
import { PreferenceStore } from "./preferences";

/** What all components of the page share, also before someone has signed in. */
export interface Page {
  readonly preferences: PreferenceStore;
  readonly announcements: Announcements;
  readonly toasts: Toasts;
  readonly clock: TickingClock;
  readonly parts: PartLoader;
}

/** Creates the shared objects of a page. Called once, by main.tsx. */
export function newPage(): Page {
  return {
    preferences: new PreferenceStore(),
    announcements: new Announcements(),
    toasts: new Toasts(),
    clock: new TickingClock(),
    parts: new PartLoader(),
  };
}

const Context = createContext<Page | undefined>(undefined);
/** Hands the shared objects to all components below it. */
export const PageProvider = Context.Provider;

/** The shared objects of this page. */
export function usePage(): Page {
  const page = useContext(Context);
  if (page === undefined) throw new Error("usePage is used outside of PageProvider");
  return page;
}

/** Says a text to screen readers. */
export function useAnnounce(): (text: string) => void {
  return usePage().announcements.say;
}

/** Shows a message that disappears after a few seconds; `bad` marks a failure. */
export function useToast(): (text: string, bad?: boolean, action?: ToastAction) => void {
  return usePage().toasts.show;
}
