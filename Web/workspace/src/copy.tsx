import { useEffect, type ReactElement } from "react";
import type { Thread } from "../../client/agent-thread";
import { transcript } from "../../client/transcript";
import { clock, day } from "./format";
import { useLatest } from "./hooks";
import { Icon } from "./icons";
import { announce } from "./live";
import { strings } from "./strings";

const text = strings.conversation;

/** Copies what was said as text; a voice message reads "[audio message]". Alt + Shift + Y does the same. */
export function CopyTranscript({ thread, who }: { thread: Thread; who: string }): ReactElement {
  const copy = useLatest((): void => {
    const done = navigator.clipboard?.writeText(written(thread, who)) ?? Promise.reject(new Error("no clipboard"));
    done.then(() => announce(thread.timeline.more ? text.copyPart : text.copied), () => announce(text.copyFailed));
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (!event.altKey || !event.shiftKey || event.code !== "KeyY") return;
      event.preventDefault();
      copy.current();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [copy]);
  return (
    <button className="icon-button" aria-label={text.copy} title={`${text.copy} (Alt + Shift + Y)`} onClick={() => copy.current()}>
      <Icon name="copy" />
    </button>
  );
}

function written({ timeline }: Thread, who: string): string {
  const now = Date.now();
  const name = (by: number): string => (by === 1 ? who : timeline.people.find((person) => person.by === by)?.name ?? strings.notice.somebody);
  return transcript(timeline.events, { name, time: (at) => `${day(at, now)} ${clock(at)}` });
}
