import { useEffect, useRef } from "react";
import { preferences } from "../app/preferences";
import type { Route } from "../app/route";

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
    else if (c !== undefined && c === wanted) work();
    else if (c !== undefined && isLost()) document.getElementById(card ? "card" : "conversation")?.focus({ preventScroll: true });
  }, [c, card]);
}

let wanted: string | undefined;

/** Once `c` is open, whoever works with the keyboard goes on there, wherever the focus was. */
export function focusAlong(c: string): void {
  wanted = c;
}

/** Where the single keys work; for whom they are switched off, where one writes. */
function work(): void {
  wanted = undefined;
  document.querySelector<HTMLElement>(preferences().keys ? "#conversation" : ".reply")?.focus({ preventScroll: true });
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
