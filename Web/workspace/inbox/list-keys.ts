import type { KeyboardEvent } from "react";

/**
 * Arrow keys move between the rows; `p` shows a preview of the focused row, for people who use single-key shortcuts.
 */
export function handleRowKeys(
  event: KeyboardEvent<HTMLElement>,
  singleKeys: boolean,
  preview: (c: string) => void,
): void {
  const modified = event.altKey || event.ctrlKey || event.metaKey;
  const c = event.key === "p" && singleKeys && !modified ? focusedRow() : undefined;
  if (c !== undefined) {
    event.preventDefault();
    return preview(c);
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || modified) return;
  event.preventDefault();
  moveInList(step);
}

/** The conversation of the row that has the focus. */
function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>(".row-place")?.dataset["c"];
}

/** Moves the focus to the next or previous row; from outside the list, starting at the open conversation. */
export function moveInList(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>(".rows .row")];
  const focused = rows.findIndex((row) => row === document.activeElement);
  const current = rows.findIndex((row) => row.getAttribute("aria-current") === "true");
  const start = current >= 0 ? current : step > 0 ? -1 : rows.length;
  const from = focused >= 0 ? focused : start;
  const next = rows[Math.min(rows.length - 1, Math.max(0, from + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
