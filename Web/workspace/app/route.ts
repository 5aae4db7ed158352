import { useEffect, useMemo, useState } from "react";
import { type Tab, TABS } from "../../client/agent/inbox";

/** A page of the workspace. */
export type Page = "inbox" | "wall" | "admin";

/** A list of conversations: one of the inbox's, or the search results. */
export type List = Tab | "search";

/** What is shown: a list, a conversation in it, and its consumer's card. The route is the URL's hash. */
export interface Route {
  readonly page: Page;
  /** The rest of the hash, for pages other than the inbox. */
  readonly path: readonly string[];
  readonly tab: List;
  readonly c: string | undefined;
  readonly card: boolean;
  /** The number of the message to show: a search match. */
  readonly at?: number;
}

const lists: readonly string[] = [...TABS, "search"];
const NO_PATH: readonly string[] = [];

/** Parses `#/mine/CONVERSATION/card`, `#/search/CONVERSATION/at/17` or `#/admin/skills`; ignores invalid parts. */
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

/** The hash of a route in the inbox. */
export function address({ tab, c, card, at }: Pick<Route, "tab" | "c" | "card" | "at">): string {
  const place = c === undefined ? "" : `/${c}`;
  return `#/${tab}${place}${c === undefined ? "" : card ? "/card" : at === undefined ? "" : `/at/${at}`}`;
}

/** Goes to a route in the inbox; `replace` adds no entry to the browser's history. */
export function go(route: Pick<Route, "tab" | "c" | "card" | "at">, replace = false): void {
  goTo(address(route), replace);
}

/** Goes to a hash such as `#/wall`. */
export function goTo(hash: string, replace = false): void {
  if (hash === location.hash) return;
  if (replace) location.replace(hash);
  else location.hash = hash;
}

/** The current route; the component renders again when it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const changed = (): void => setHash(location.hash);
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return useMemo(() => parsedRoute(hash), [hash]);
}
