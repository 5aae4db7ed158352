import { type ReactElement, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { dialogTexts } from "../i18n/dialog-texts";
import { useLatest } from "./hooks";
import { Icon } from "./icons";

interface DialogProps {
  label: string;
  className: string;
  children: ReactNode;
  /** Called for Esc and for a click beside it; without it, the dialog stays. */
  close?: () => void;
}

/** A modal dialog of the browser's own: it holds the focus, makes the page behind it inert, and gives the focus back. */
export function Dialog({ label, className, children, close }: DialogProps): ReactElement {
  const ref = useRef<HTMLDialogElement>(null);
  // A text that is selected beyond the edge is no click beside it.
  const beside = useRef(false);
  // What Esc does is what closing means at that moment, also between a drawing and its effects.
  const latest = useLatest(close);
  // A layout effect, for its end runs while the dialog is still there: only then does closing give the focus back.
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
