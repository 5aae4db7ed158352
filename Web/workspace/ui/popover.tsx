import { type ReactElement, type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { useLatest } from "./hooks";

interface PopoverProps {
  open: boolean;
  setOpen: (open: boolean) => void;
  label: string;
  className: string;
  button: ReactNode;
  title?: string;
  id?: string;
  children: ReactNode;
}

/**
 * A button that opens a menu. The browser shows the menu over the page and closes it at Esc and at a click elsewhere;
 * moving the focus out of it closes it too. Arrow keys move between its items.
 */
export function Popover(
  { open, setOpen, label, className, button, title, id, children }: PopoverProps,
): ReactElement {
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  useNativePopover(panel, opener, open, setOpen);
  const key = (event: React.KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (open && step !== undefined && !(event.target as Element).matches("input, textarea")) {
      event.preventDefault();
      return moveFocus(items(panel), step);
    }
    // The browser closes the menu; the page's own shortcut for Esc must not run as well.
    if (open && event.key === "Escape") event.nativeEvent.stopImmediatePropagation();
  };
  const left = ({ currentTarget, relatedTarget }: React.FocusEvent): void => {
    if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setOpen(false);
  };
  return (
    <div className="menu" onKeyDown={key} onBlur={left}>
      <button
        ref={opener}
        type="button"
        id={id}
        className={className}
        aria-expanded={open}
        aria-label={label}
        title={title ?? label}
        {...{ popovertarget: panelId }}
      >
        {button}
      </button>
      <div ref={panel} id={panelId} className="ea-menu menu-panel" {...{ popover: "auto" }}>{open && children}</div>
    </div>
  );
}

/** TypeScript's types of the DOM do not have this yet. */
interface NativePopover {
  togglePopover(open: boolean): void;
}

/** Keeps `open` and what the browser shows the same, whichever of the two changes. */
function useNativePopover(
  panel: RefObject<HTMLDivElement>, opener: RefObject<HTMLElement>, open: boolean, setOpen: (open: boolean) => void,
): void {
  const latest = useLatest(setOpen);
  const shown = useRef(false);
  useLayoutEffect(() => {
    if (shown.current === open) return;
    shown.current = open;
    (panel.current as NativePopover | null)?.togglePopover(open);
  }, [panel, open]);
  useEffect(() => {
    // The items are there before the browser shows the menu, so that it never appears empty.
    const before = (): void => {
      if (shown.current) return;
      shown.current = true;
      flushSync(() => latest.current(true));
    };
    const after = (): void => {
      shown.current = panel.current?.matches(":popover-open") === true;
      if (shown.current) {
        // This comes a moment after the menu is shown: the person may have gone to an item meanwhile.
        if (panel.current?.contains(document.activeElement) !== true) items(panel)[0]?.focus();
        return;
      }
      latest.current(false);
      if (document.activeElement === document.body) opener.current?.focus();
    };
    panel.current?.addEventListener("beforetoggle", before);
    panel.current?.addEventListener("toggle", after);
    // React removes the element, and the listeners with it.
  }, [panel, opener, latest]);
}

function items(panel: RefObject<HTMLElement>): HTMLElement[] {
  return [...(panel.current?.querySelectorAll<HTMLElement>("a, button:not(:disabled), input, select") ?? [])];
}

function moveFocus(all: readonly HTMLElement[], step: number): void {
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[(at + step + all.length) % all.length]?.focus();
}
