import { useEffect, useMemo, useState } from "react";
import { type Tab, TABS } from "../../client/agent/inbox";

/** A page that takes the whole room beside the navigation. */
export type Page = "inbox" | "wall" | "admin";

/** What stands in the list: one of the inbox's, or what was searched for. */
export type List = Tab | "search";

/** Where the person is: a list, maybe a conversation, maybe its consumer's card. It stands in the address, so that "back" works. */
export interface Route {
  readonly page: Page;
  /** What follows the name of a page that is not the inbox. */
  readonly path: readonly string[];
  readonly tab: List;
  readonly c: string | undefined;
  readonly card: boolean;
  /** The message to show: a match of the search. */
  readonly at?: number;
}

const lists: readonly string[] = [...TABS, "search"];
const NO_PATH: readonly string[] = [];

/** Reads `#/mine/CONVERSATION/card`, `#/search/CONVERSATION/at/17`, `#/admin/skills`; whatever is wrong in it is left out. */
export function parsedRoute(hash: string): Route {
  const [tab = "", c, what, at] = hash.replace(/^#\/?/u, "").split("/");
  const nowhere = { path: NO_PATH, tab: "waiting", c: undefined, card: false } as const;
  if (tab === "wall" || tab === "admin") {
    return { ...nowhere, page: tab, path: hash.replace(/^#\/?/u, "").split("/").slice(1) };
  }
  if (!lists.includes(tab)) return { ...nowhere, page: "inbox" };
  const id = c !== undefined && /^[A-Za-z0-9_-]{1,64}$/u.test(c) ? c : undefined;
  const n = id !== undefined && what === "at" && /^\d{1,9}$/u.test(at ?? "") ? { at: Number(at) } : {};
  return { page: "inbox", path: NO_PATH, tab: tab as List, c: id, card: id !== undefined && what === "card", ...n };
}

/** The address of a place in the inbox. */
export function address({ tab, c, card, at }: Pick<Route, "tab" | "c" | "card" | "at">): string {
  const place = c === undefined ? "" : `/${c}`;
  return `#/${tab}${place}${c === undefined ? "" : card ? "/card" : at === undefined ? "" : `/at/${at}`}`;
}

/** Goes somewhere in the inbox; `replace` leaves no step behind to come back to. */
export function go(route: Pick<Route, "tab" | "c" | "card" | "at">, replace = false): void {
  goTo(address(route), replace);
}

/** Goes to an address of ours: `#/wall`, say. */
export function goTo(hash: string, replace = false): void {
  if (hash === location.hash) return;
  if (replace) location.replace(hash);
  else location.hash = hash;
}

/** The current route; the component draws again when it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return useMemo(() => parsedRoute(hash), [hash]);
}
