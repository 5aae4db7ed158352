import { useEffect, useRef } from "react";
import type { Route } from "./route";

/**
 * Takes the focus along. Into a conversation, where what had it is gone (the list on a phone, a card that rang), so that nobody is left
 * nowhere; and out of it to the row that one came from.
 */
export function useFocusFollows({ c, card }: Route): void {
  const before = useRef<{ c: string | undefined; card: boolean }>();
  useEffect(() => {
    const old = before.current;
    before.current = { c, card };
    if (old === undefined) return;
    if (old.c !== undefined && c === undefined) focusRow(old.c);
    else if (c !== undefined && isLost()) document.getElementById(card ? "card" : "conversation")?.focus({ preventScroll: true });
  }, [c, card]);
}

/** The row of a conversation, or the list's tab where it stands in another list now. */
function focusRow(c: string): void {
  const row = [...document.querySelectorAll<HTMLAnchorElement>(".rows .row")].find((one) => one.hash.includes(c));
  (row ?? document.querySelector<HTMLElement>(".tab[aria-selected=true]"))?.focus();
}

/** Nothing has the focus, or something that is out of sight. */
function isLost(): boolean {
  const active = document.activeElement;
  return !(active instanceof HTMLElement) || active === document.body || active.offsetParent === null;
}
