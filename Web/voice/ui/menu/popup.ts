/**
 * A small menu that opens from a button: arrows move, Enter chooses, Esc closes, and the focus goes back where it came
 * from.
 */
import { h, set } from "../dom";

/** One entry of a menu. */
export interface PopupItem {
  readonly label: string;
  readonly mark?: Node | undefined;
  /** For items of which one is chosen, or that are on or off. */
  readonly checked?: boolean;
  readonly kind: "radio" | "checkbox" | "item";
  readonly run: () => void;
}

/** From the button, and from the edges of the page, in pixels. */
const GAP = 4;

/** Opens a menu at `button`. */
export function popup(button: HTMLElement, title: string, items: readonly PopupItem[], note?: string): void {
  const rows = items.map((item) => row(item));
  const menu = h(
    "div",
    { class: "ea-menu", role: "menu", "aria-label": title, popover: "auto" },
    ...rows,
    note && h("p", { class: "ea-note" }, note),
  );
  const close = (): void => {
    if (!menu.isConnected) return;
    const inside = menu.contains(document.activeElement);
    menu.remove();
    set(button, { "aria-expanded": "false" });
    removeEventListener("pointerdown", outside, true);
    removeEventListener("scroll", close, true);
    if (inside) button.focus({ preventScroll: true });
  };
  const outside = (event: Event): void => void (menu.contains(event.target as Node) || close());
  menu.addEventListener("keydown", (event) => keyed(event, rows, close));
  menu.addEventListener(
    "focusout", (event) => event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget) && close(),
  );
  menu.addEventListener("click", (event) => {
    const item = items[rows.findIndex((one) => one.contains(event.target as Node))];
    if (!item) return;
    close();
    item.run();
  });
  // Where the player is, so that styles of a front end hold; over everything by the browser's own top layer.
  button.after(menu);
  (menu as { showPopover?: () => void }).showPopover?.();
  place(menu, button);
  set(button, { "aria-expanded": "true" });
  addEventListener("pointerdown", outside, true);
  addEventListener("scroll", close, true);
  (
    rows[items.findIndex(({ checked, kind }) => kind === "radio" && checked)] ?? rows[0]
  )?.focus({ preventScroll: true });
}

function row({ label, mark, checked, kind }: PopupItem): HTMLElement {
  const role = kind === "item" ? "menuitem" : `menuitem${kind}`;
  return h(
    "button",
    { type: "button", role, tabindex: -1, "aria-checked": kind === "item" ? undefined : String(checked === true) },
    h("span", { class: "ea-mark" }, mark),
    label,
  );
}

function keyed(event: KeyboardEvent, rows: readonly HTMLElement[], close: () => void): void {
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const to: Record<string, number> = {
    ArrowDown: (at + 1) % rows.length, ArrowUp: (at + rows.length - 1) % rows.length, Home: 0, End: rows.length - 1,
  };
  const next = to[event.key];
  event.stopPropagation();
  if (event.key === "Escape" || event.key === "Tab") close();
  if (event.key === "Escape" || next !== undefined) event.preventDefault();
  if (next !== undefined) rows[next]?.focus();
}

/** Above the button where there is room, else below; never outside of the page. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const [at, box] = [button.getBoundingClientRect(), menu.getBoundingClientRect()];
  const x = Math.min(Math.max(GAP, at.right - box.width), innerWidth - box.width - GAP);
  const above = at.top - box.height - GAP;
  menu.style.insetInlineStart = menu.style.insetBlockStart = "auto";
  menu.style.left = `${x}px`;
  menu.style.top =
    `${above >= GAP ? above : Math.max(GAP, Math.min(at.bottom + GAP, innerHeight - box.height - GAP))}px`;
}
