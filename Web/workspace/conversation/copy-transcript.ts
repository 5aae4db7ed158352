import { texts } from "../i18n/texts";
import type { Page } from "../app/page-context";

const text = texts.conversation;

/** The address of a conversation's transcript, or without a format of its evidence, in this person's time zone. */
export function exportAddress(c: string, format?: string): string {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const query = new URLSearchParams(format === undefined ? { zone } : { format, zone });
  return `/v1/conversations/${c}/${format === undefined ? "evidence" : "transcript"}?${query}`;
}

/** Copies the whole transcript as text; voice messages read “[audio message]”. */
export function copyTranscript({ toasts }: Pick<Page, "toasts">, c: string): void {
  // The clipboard gets a promise: some browsers allow copying only at once after a key or a click.
  const written = fetch(exportAddress(c, "txt")).then((answer) => {
    if (!answer.ok) throw new Error(`transcript: ${answer.status}`);
    return answer.blob();
  });
  const done = navigator.clipboard?.write([new ClipboardItem({ "text/plain": written })]) ??
    Promise.reject(new Error("no clipboard"));
  done.then(() => toasts.show(text.copied), () => toasts.show(text.copyFailed, true));
}
