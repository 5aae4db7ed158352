import { type ReactElement, useSyncExternalStore } from "react";
import { Store } from "../../client/core/store";
import { usePage } from "../app/page-context";
import { Icon } from "./icons";

const SHOWN_MS = 5000;

/** The message that is shown for a few seconds; a new one replaces it. */
export class Toasts {
  readonly store = new Store<{ text: string | undefined; bad: boolean }>({ text: undefined, bad: false });
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows a message and reads it to screen readers; `bad` marks a failure. */
  readonly show = (text: string, bad = false): void => {
    clearTimeout(this.#timer);
    this.store.set({ text, bad });
    this.#timer = setTimeout(() => this.store.set({ text: undefined }), SHOWN_MS);
  };
}

/** Shows the current message. */
export function ToastPlace(): ReactElement {
  const { store } = usePage().toasts;
  const { text, bad } = useSyncExternalStore(store.subscribe, store.get);
  return (
    <div className="toast-place" role="status">
      {text !== undefined && (
        <p className="toast" data-bad={bad || undefined}>
          <Icon name={bad ? "warn" : "check"} />
          {text}
        </p>
      )}
    </div>
  );
}
