import type { AgentSession } from "../../client/agent/agent-session";
import type { Thread } from "../../client/agent/agent-thread";
import { transcript } from "../../client/conversation/transcript";
import { dayText, timeText } from "../ui/format";
import { texts } from "../i18n/texts";
import type { Page } from "../app/page-context";

const text = texts.conversation;

/** Copies the transcript as text; voice messages read “[audio message]”. False where there is nothing to copy. */
export function copyTranscript(session: AgentSession, { toasts }: Pick<Page, "toasts">, c: string): boolean {
  const thread = session.store.get().threads.get(c);
  if (thread === undefined || thread.timeline.events.length === 0) return false;
  const who = thread.who?.name ?? session.store.get().inbox.rows.get(c)?.who ?? "";
  const done = navigator.clipboard?.writeText(written(thread, who)) ?? Promise.reject(new Error("no clipboard"));
  done.then(
    () => toasts.show(thread.timeline.more ? text.copyPart : text.copied),
    () => toasts.show(text.copyFailed, true),
  );
  return true;
}

function written({ timeline }: Thread, who: string): string {
  const now = Date.now();
  const name = (
    by: number,
  ): string => (by === 1 ? who : timeline.people.find((person) => person.by === by)?.name ?? texts.notice.somebody);
  return transcript(timeline.events, { name, time: (at) => `${dayText(at, now)} ${timeText(at)}` });
}
