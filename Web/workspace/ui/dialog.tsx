import { type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { dialogTexts } from "../i18n/dialog-texts";
import { useLatest } from "./hooks";
import { Icon } from "./icons";

interface DialogProps {
  label: string;
  className: string;
  children: ReactNode;
  /** Called for Esc and for a click outside the dialog; without it, the dialog stays open. */
  close?: () => void;
}

/** A modal `<dialog>`: it keeps the focus, makes the page behind it inert, and restores the focus when it closes. */
export function Dialog({ label, className, children, close }: DialogProps): ReactElement {
  const ref = useRef<HTMLDialogElement>(null);
  // Selecting text past the dialog's edge is not a click outside it.
  const beside = useRef(false);
  // Esc calls the newest `close`, also between a render and its effects.
  const latest = useLatest(close);
  // A layout effect, because its cleanup runs while the dialog still exists: only then does closing restore the focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("[data-focus]")?.focus();
    return () => dialog.close();
  }, []);
  useEffect(() => {
    const dialog = ref.current;
    const cancelled = (event: Event): void => {
      event.preventDefault();
      latest.current?.();
    };
    dialog?.addEventListener("cancel", cancelled);
    return () => dialog?.removeEventListener("cancel", cancelled);
  }, [latest]);
  return (
    <dialog
      ref={ref}
      className={`dialog ${className}`}
      aria-label={label}
      onPointerDown={({ target }) => void (beside.current = target === ref.current)}
      onClick={({ target }) => beside.current && target === ref.current && close?.()}
    >
      {children}
    </dialog>
  );
}

/** The button in a dialog's header that closes it. */
export function CloseButton({ close }: { close: () => void }): ReactElement {
  return (
    <button type="button" className="icon-button" aria-label={dialogTexts.close} onClick={close}>
      <Icon name="close" />
    </button>
  );
}
