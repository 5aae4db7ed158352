import { useEffect, useRef } from "react";
import { usePage } from "../app/page-context";
import type { Route } from "../app/route";
import { useWorkspace } from "../app/session-context";

/** A request to move the focus into a conversation, or to its text field, once it is open. */
export class FocusRequest {
  #conversation: string | undefined;
  #reply: string | undefined;

  /** Moves the focus into `c` when it opens, wherever the focus is then. */
  into(c: string): void {
    this.#conversation = c;
  }

  /**
   * Moves the focus to the text field of `c`, now or when it appears. Outside of it letters are shortcuts, which a
   * person who starts to write at once would run. On a phone the keyboard would hide the conversation.
   */
  toReply(c: string): void {
    if (matchMedia("(pointer: coarse)").matches) return;
    const field = document.getElementById(`reply-${c}`);
    if (field === null) this.#reply = c;
    else field.focus();
  }

  /** True once for the conversation to whose text field the focus goes. */
  takeReply(c: string): boolean {
    if (this.#reply !== c) return false;
    this.#reply = undefined;
    return true;
  }

  /** True once for the requested conversation. */
  take(c: string): boolean {
    if (this.#conversation !== c) return false;
    this.#conversation = undefined;
    return true;
  }
}

/**
 * Moves the focus along when the route changes: into the conversation where the focused element has disappeared (the
 * list on a phone, an accepted offer), and back to the conversation's row when it is left.
 */
export function useFocusOnNavigation({ c, card }: Route): void {
  const { focus } = useWorkspace().ui;
  const { preferences } = usePage();
  const before = useRef<{ c: string | undefined; card: boolean }>();
  useEffect(() => {
    const previous = before.current;
    before.current = { c, card };
    if (previous === undefined) return;
    if (previous.c !== undefined && c === undefined) focusRow(previous.c);
    else if (c !== undefined && focus.take(c)) focusWork(preferences.get().keys);
    else if (c !== undefined && isFocusLost()) {
      document.getElementById(card ? "card" : "conversation")?.focus({ preventScroll: true });
    }
  }, [c, card, focus, preferences]);
}

/** Where single-key shortcuts work; without them, the text field. */
function focusWork(singleKeys: boolean): void {
  document.querySelector<HTMLElement>(singleKeys ? "#conversation" : ".reply")?.focus({ preventScroll: true });
}

/** Focuses the row of a conversation, or the list's tab when the row is now in another list. */
function focusRow(c: string): void {
  const rows = [...document.querySelectorAll<HTMLAnchorElement>(".rows .row")];
  const row = rows.find((one) => one.hash.includes(c));
  (row ?? document.querySelector<HTMLElement>(".tab[aria-selected=true]"))?.focus();
}

/** Nothing has the focus, or something that is not visible. */
function isFocusLost(): boolean {
  const active = document.activeElement;
  return !(active instanceof HTMLElement) || active === document.body || active.offsetParent === null;
}
