import { type ReactElement, type ReactNode, useEffect, useRef } from "react";

interface PopoverProps {
  open: boolean;
  setOpen: (open: boolean) => void;
  label: string;
  className: string;
  button: ReactNode;
  title?: string;
  /** Which edge of the panel is aligned with the button. */
  side?: "start" | "end";
  above?: boolean;
  id?: string;
  children: ReactNode;
}

/** A button that opens a menu. Esc or moving the focus elsewhere closes it; arrow keys move between its items. */
export function Popover(
  { open, setOpen, label, className, button, title, side = "end", above, id, children }: PopoverProps,
): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useOutside(box, open, () => setOpen(false));
  useEffect(() => {
    if (open) items(box.current)[0]?.focus();
  }, [open]);
  const key = (event: React.KeyboardEvent): void => {
    if (!open) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && !(event.target as Element).matches("input, textarea")) {
      event.preventDefault();
      return along(items(box.current), step);
    }
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.nativeEvent.stopImmediatePropagation();
    setOpen(false);
    opener.current?.focus();
  };
  return (
    <div className="menu" ref={box} onKeyDown={key}>
      <button
        ref={opener}
        type="button"
        id={id}
        className={className}
        aria-expanded={open}
        aria-label={label}
        title={title ?? label}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open && <div className="menu-panel" data-side={side} data-above={above || undefined}>{children}</div>}
    </div>
  );
}

function items(box: HTMLElement | null): HTMLElement[] {
  return [
    ...(box?.querySelectorAll<HTMLElement>(
      ".menu-panel a, .menu-panel button:not(:disabled), .menu-panel input, .menu-panel select",
    ) ?? []),
  ];
}

function along(all: readonly HTMLElement[], step: number): void {
  const at = all.indexOf(document.activeElement as HTMLElement);
  all[(at + step + all.length) % all.length]?.focus();
}

function useOutside(box: React.RefObject<HTMLElement>, open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  });
}
