import { useSyncExternalStore, type ReactElement } from "react";
import { Store } from "../../client/core/store";
import { Icon } from "./icons";

const SHOWN_MS = 5000;
const store = new Store<{ text: string | undefined; bad: boolean }>({ text: undefined, bad: false });
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says something that passes by itself, to eyes and to ears. */
export function toast(text: string, bad = false): void {
  clearTimeout(timer);
  store.set({ text, bad });
  timer = setTimeout(() => store.set({ text: undefined }), SHOWN_MS);
}

export function Toasts(): ReactElement {
  const { text, bad } = useSyncExternalStore(store.subscribe, store.get);
  return (
    <div className="toast-place" role="status">
      {text !== undefined && <p className="toast" data-bad={bad || undefined}><Icon name={bad ? "warn" : "check"} />{text}</p>}
    </div>
  );
}
