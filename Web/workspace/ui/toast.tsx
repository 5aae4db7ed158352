import { type ReactElement, useSyncExternalStore } from "react";
import { Store } from "../../client/core/store";
import { usePage } from "../app/page-context";
import { Icon } from "./icons";

const SHOWN_MS = 5000;
/** A message that offers something stays longer. */
const OFFERED_MS = 12_000;

/** What a message offers: one press or the key `z`. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

interface Toast {
  readonly text: string | undefined;
  readonly bad: boolean;
  readonly action: ToastAction | undefined;
}

/** The message that is shown for a few seconds; a new one replaces it. */
export class Toasts {
  readonly store = new Store<Toast>({ text: undefined, bad: false, action: undefined });
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows a message and reads it to screen readers; `bad` marks a failure. */
  readonly show = (text: string, bad = false, action?: ToastAction): void => {
    clearTimeout(this.#timer);
    this.store.set({ text, bad, action });
    this.#timer = setTimeout(this.#hide, action === undefined ? SHOWN_MS : OFFERED_MS);
  };

  /** Does what the message offers. False where it offers nothing. */
  readonly act = (): boolean => {
    const { action } = this.store.get();
    if (action === undefined) return false;
    this.#hide();
    action.run();
    return true;
  };

  readonly #hide = (): void => this.store.set({ text: undefined, action: undefined });
}

/** Shows the current message. */
export function ToastPlace(): ReactElement {
  const { store, act } = usePage().toasts;
  const { text, bad, action } = useSyncExternalStore(store.subscribe, store.get);
  return (
    <div className="toast-place" role="status">
      {text !== undefined && (
        <p className="toast" data-bad={bad || undefined}>
          <Icon name={bad ? "warn" : "check"} />
          {text}
          {action && <button className="toast-act" title={`${action.label} (z)`} onClick={act}>{action.label}</button>}
        </p>
      )}
    </div>
  );
}
