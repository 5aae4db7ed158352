import { useEffect, useMemo, useState } from "react";
import type { Tab } from "../../client/agent-inbox";

/** Where the person is: a list, maybe a conversation, maybe its consumer's card. It stands in the address, so that "back" works. */
export interface Route {
  readonly tab: Tab;
  readonly c: string | undefined;
  readonly card: boolean;
}

const tabs: readonly string[] = ["waiting", "mine", "all"];

/** Reads `#/mine/CONVERSATION/card`; whatever is wrong in it is left out. */
export function parsedRoute(hash: string): Route {
  const [tab, c, card] = hash.replace(/^#\/?/u, "").split("/");
  const valid = tab !== undefined && tabs.includes(tab);
  const id = valid && c !== undefined && /^[A-Za-z0-9_-]{1,64}$/u.test(c) ? c : undefined;
  return { tab: valid ? (tab as Tab) : "waiting", c: id, card: id !== undefined && card === "card" };
}

/** The address of a route. */
export function address({ tab, c, card }: Route): string {
  return `#/${tab}${c === undefined ? "" : `/${c}${card ? "/card" : ""}`}`;
}

/** Goes somewhere; `replace` leaves no step behind to come back to. */
export function go(route: Route, replace = false): void {
  if (address(route) === location.hash) return;
  if (replace) location.replace(address(route));
  else location.hash = address(route);
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
