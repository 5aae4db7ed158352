import { useEffect, useRef, type ReactElement, type ReactNode } from "react";

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
  useEffect(() => {
    const dialog = ref.current;
    if (dialog === null || dialog.open) return;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  useEffect(() => {
    const dialog = ref.current;
    const cancelled = (event: Event): void => {
      event.preventDefault();
      close?.();
    };
    dialog?.addEventListener("cancel", cancelled);
    return () => dialog?.removeEventListener("cancel", cancelled);
  }, [close]);
  return (
    <dialog ref={ref} className={`dialog ${className}`} aria-label={label} onClick={(event) => event.target === ref.current && close?.()}>
      {children}
    </dialog>
  );
}
