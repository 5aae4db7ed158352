import { useLayoutEffect, useRef, type FormEvent, type KeyboardEvent, type ReactElement } from "react";
import type { Thread } from "../../client/agent-thread";
import type { InboxRow } from "../../client/events";
import { useDesk, usePlace } from "./desk";
import { scalars } from "../../client/text";
import { Icon } from "./icons";
import { ProblemStrip } from "./problem";
import { MicButton, RecorderPlace, RecordingElsewhere } from "./recording";
import { strings } from "./strings";

const text = strings.composer;

/** From so many characters before the limit on, the counter speaks up. */
const NEAR_LIMIT = 100;

interface ComposerProps {
  c: string;
  who: string;
  thread: Thread | undefined;
  row: InboxRow | undefined;
  ready: boolean;
}

/** Where one writes; or the reason why one cannot. */
export function Composer({ c, who, thread, row, ready }: ComposerProps): ReactElement {
  const { desk } = usePlace();
  const state = useDesk();
  const status = thread?.phase === "live" ? thread.timeline.status : row?.status ?? "open";
  const other = status === "open" && row?.to !== undefined && row.to !== state.me ? row.toName ?? strings.problem.somebody : undefined;
  const problem = state.problems.get(c);
  return (
    <footer className="composer">
      {problem && <ProblemStrip problem={problem} other={other} dismiss={() => desk.dismiss(c)} />}
      {!problem && status === "waiting" && <p className="strip">{text.waiting}</p>}
      {status === "closed" && (
        <p className="strip strip-closed"><Icon name="resolve" /><span><strong>{text.closed}</strong> {text.closedHint(who)}</span></p>
      )}
      <RecordingElsewhere c={c} />
      <RecorderPlace c={c} />
      {other !== undefined
        ? <Theirs c={c} name={other} draft={state.drafts.get(c)} told={problem !== undefined} />
        : <Writing c={c} who={who} status={status} disabled={!ready && row === undefined} />}
    </footer>
  );
}

/** Somebody else answers. What was written stays to be copied. */
function Theirs({ c, name, draft, told }: { c: string; name: string; draft: string | undefined; told: boolean }): ReactElement {
  const { desk } = usePlace();
  return (
    <>
      {!told && <p className="strip"><Icon name="info" /><span>{text.theirs(name)}</span></p>}
      {draft !== undefined && (
        <div className="kept-draft">
          <p dir="auto">{draft}</p>
          <p className="kept-foot">
            <span className="row-draft">{strings.inbox.draft}</span>
            <button className="link" onClick={() => desk.draft(c, "", false)}>{strings.say.discard}</button>
          </p>
        </div>
      )}
    </>
  );
}

function Writing({ c, who, status, disabled }: { c: string; who: string; status: string; disabled: boolean }): ReactElement {
  const { desk, session } = usePlace();
  const draft = useDesk().drafts.get(c) ?? "";
  const box = useRef<HTMLTextAreaElement>(null);
  useHeight(box, draft);
  const left = session.limits.text - scalars(draft);
  const sendable = draft.trim() !== "" && left >= 0 && !disabled;

  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (!sendable) return;
    desk.say(c, draft.trim());
    box.current?.focus();
  };
  const key = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    send(event);
  };
  const id = `reply-${c}`;
  return (
    <form className="writing" onSubmit={send} data-over={left < 0 || undefined}>
      <label className="aloud" htmlFor={id}>{text.label(who)}</label>
      <textarea
        id={id} className="reply" ref={box} rows={1} dir="auto" value={draft} disabled={disabled} placeholder={placeholder(status, who)}
        aria-describedby={`${id}-count`} aria-invalid={left < 0 || undefined}
        onChange={(event) => desk.draft(c, event.target.value, status === "open")} onKeyDown={key}
      />
      <div className="writing-foot">
        <MicButton c={c} status={status} ready={!disabled} />
        <span className="writing-hint not-phone" aria-hidden="true">{text.hint}</span>
        <Counter id={`${id}-count`} left={left} limit={session.limits.text} empty={draft === ""} />
        <button className="button button-main button-send" disabled={!sendable}>
          <span>{text.send}</span><Icon name="send" flip />
        </button>
      </div>
    </form>
  );
}

function Counter({ id, left, limit, empty }: { id: string; left: number; limit: number; empty: boolean }): ReactElement {
  const number = (value: number): string => value.toLocaleString();
  const shown = left < 0 ? text.over(-left) : left <= NEAR_LIMIT ? text.left(left) : `${number(limit - left)} / ${number(limit)}`;
  return (
    <span className="counter" id={id} data-tone={left < 0 ? "over" : left <= NEAR_LIMIT ? "near" : undefined}>
      {empty ? <span className="aloud">{text.tooLong(limit)}</span> : shown}
      <span className="aloud" role="status">{left < 0 ? text.tooLong(limit) : ""}</span>
    </span>
  );
}

function placeholder(status: string, who: string): string {
  if (status === "waiting") return text.placeholderTake;
  return status === "closed" ? text.placeholderClosed : text.placeholder(who);
}

/** As high as its text, up to what the style allows. */
function useHeight(box: React.RefObject<HTMLTextAreaElement>, draft: string): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`;
  }, [box, draft]);
}
