import { type FormEvent, type KeyboardEvent, type ReactElement, useLayoutEffect, useRef, useState } from "react";
import { mentioned } from "../../client/agent/canned-replies";
import { noteDraft } from "../../client/agent/agent-state";
import type { Stance } from "../../client/agent/permissions";
import type { Thread } from "../../client/agent/agent-thread";
import type { InboxRow } from "../../client/conversation/events";
import { ClipChip, useClipAttachment } from "./clip";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { scalars } from "../../client/core/text";
import { Icon } from "../ui/icons";
import { useAnnounce } from "../app/page-context";
import { Picker, usePicker } from "./canned-reply-picker";
import { ProblemStrip } from "../actions/problem";
import { MicButton, RecorderSlot, RecordingElsewhere } from "./recording";
import { texts } from "../i18n/texts";
import { useDialogState, usePermissions } from "../actions/dialog-state";
import { SpectatorBar } from "../conversation/spectator-bar";

const text = texts.composer;

/** From so many characters before the limit on, the counter speaks up. */
const NEAR_LIMIT = 100;

interface ComposerProps {
  c: string;
  who: string;
  thread: Thread | undefined;
  row: InboxRow | undefined;
  ready: boolean;
}

/** Where one writes: a reply, or a private note; or the reason why one cannot reply. */
export function Composer({ c, who, thread, row, ready }: ComposerProps): ReactElement {
  const { session } = useWorkspace();
  const state = useSessionState();
  const stance = usePermissions(c);
  const { noteMode } = useDialogState();
  const problem = state.problems.get(c);
  const { status, theirs, maySay } = stance;
  const note = noteMode === c || !maySay;
  const disabled = !ready && row === undefined;
  return (
    <footer className="composer" data-note={note || undefined}>
      <SpectatorBar c={c} stance={stance} />
      {row?.routing?.mentioned.includes(state.me) === true && (
        <p className="strip strip-note">
          <Icon name="at" />
          <span>{texts.note.mentionsYou}</span>
          <button type="button" className="link" onClick={() => session.ask(c, { noticed: {} })}>
            {texts.note.seen}
          </button>
        </p>
      )}
      {problem && <ProblemStrip problem={problem} other={theirs} dismiss={() => session.dismiss(c)} />}
      {!problem && !note && status === "waiting" && <p className="strip">{text.waiting}</p>}
      {!note && status === "closed" && (
        <p className="strip strip-closed">
          <Icon name="resolve" />
          <span>
            <strong>{text.closed}</strong> {text.closedHint({ name: who })}
          </span>
        </p>
      )}
      {!maySay && (
        <AnsweredByColleague
          c={c}
          name={theirs ?? ""}
          draft={state.drafts.get(c)}
          told={problem !== undefined || stance.watching}
        />
      )}
      <RecordingElsewhere c={c} />
      <RecorderSlot c={c} note={note} />
      <MessageForm
        key={note ? "note" : "reply"}
        c={c}
        who={who}
        stance={stance}
        note={note}
        disabled={disabled}
        language={thread?.who?.language}
        skill={row?.routing?.skill}
      />
    </footer>
  );
}

/** Somebody else answers. What was written stays to be copied. */
function AnsweredByColleague(
  { c, name, draft, told }: { c: string; name: string; draft: string | undefined; told: boolean },
): ReactElement {
  const { session } = useWorkspace();
  return (
    <>
      {!told && (
        <p className="strip">
          <Icon name="info" />
          <span>{text.theirs({ name })}</span>
        </p>
      )}
      {draft !== undefined && (
        <div className="kept-draft">
          <p dir="auto">{draft}</p>
          <p className="kept-foot">
            <span className="row-draft">{texts.inbox.draft}</span>
            <button className="link" onClick={() => session.draft(c, "", false)}>{texts.say.discard}</button>
          </p>
        </div>
      )}
    </>
  );
}

interface WritingProps {
  c: string;
  who: string;
  stance: Stance;
  note: boolean;
  disabled: boolean;
  language: string | undefined;
  skill: string | undefined;
}

function MessageForm({ c, who, stance, note, disabled, language, skill }: WritingProps): ReactElement {
  const { session, identity, ui } = useWorkspace();
  const { agents } = useCentre();
  const place = note ? noteDraft(c) : c;
  const { drafts, settings } = useSessionState();
  const draft = drafts.get(place) ?? "";
  const box = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  useAutoHeight(box, draft);
  useLayoutEffect(() => {
    if (ui.dialogs.takeComposerFocus()) box.current?.focus();
  }, []);
  // A draft that was begun by a key stands there with the caret at its end.
  useLayoutEffect(() => setCaret(box.current?.selectionStart ?? 0), [draft]);
  const left = identity.limits.text - scalars(draft);
  const clipping = useClipAttachment(c);
  const clip = note ? undefined : clipping.clip;
  const sendable = (draft.trim() !== "" || clip !== undefined) && left >= 0 && !disabled && !clipping.busy;
  const write = (value: string): void => session.draft(place, value, !note && stance.status === "open");
  const speaks = !note && settings.audio.on && stance.status !== "closed";
  const picking = usePicker({
    box,
    draft,
    caret,
    note,
    who,
    skill,
    language,
    write,
    attach: speaks ? clipping.attach : undefined,
  });

  const reply = async (said: string): Promise<void> => {
    if (await clipping.send() && said !== "") session.say(c, said);
  };
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (!sendable) return;
    if (!note) void reply(draft.trim());
    else {
      const mentions = mentioned(draft, agents);
      session.ask(c, { note: { text: draft.trim(), ...(mentions.length > 0 ? { mentions } : {}) } });
      write("");
    }
    box.current?.focus();
  };
  const key = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (picking.key(event) || event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    send(event);
  };
  const id = `${note ? "note" : "reply"}-${c}`;
  return (
    <form className="writing" onSubmit={send} data-over={left < 0 || undefined}>
      <Picker picking={picking} id={`${id}-list`} />
      <ModeSwitch c={c} note={note} only={!stance.maySay} />
      {!note && <ClipChip clipping={clipping} />}
      <label className="aloud" htmlFor={id}>{note ? texts.note.to({ who }) : text.label({ name: who })}</label>
      <textarea
        id={id}
        className="reply"
        ref={box}
        rows={1}
        dir="auto"
        value={draft}
        disabled={disabled}
        readOnly={clipping.busy}
        placeholder={note ? texts.note.placeholder : placeholder(stance.status, who)}
        aria-describedby={`${id}-count`}
        aria-invalid={left < 0 || undefined}
        aria-autocomplete="list"
        aria-controls={picking.open ? `${id}-list` : undefined}
        aria-activedescendant={picking.open ? `${id}-list-${picking.at}` : undefined}
        onChange={(event) => {
          write(event.target.value);
          setCaret(event.target.selectionStart);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={key}
      />
      <div className="writing-foot">
        <MicButton c={c} status={stance.status} ready={!disabled} note={note} />
        <span className="writing-hint not-phone" aria-hidden="true">
          {note ? (stance.maySay ? texts.note.hint : texts.note.hintOnly) : text.hint}
        </span>
        <Counter id={`${id}-count`} left={left} limit={identity.limits.text} empty={draft === ""} />
        <button className="button button-main button-send" disabled={!sendable}>
          <span>{note ? texts.note.save : text.send}</span>
          <Icon name={note ? "lock" : "send"} flip={!note} />
        </button>
      </div>
    </form>
  );
}

/** To the consumer, or only to colleagues: always in sight, in texts and in colour. */
function ModeSwitch({ c, note, only }: { c: string; note: boolean; only: boolean }): ReactElement {
  if (only) {
    return (
      <p className="modes">
        <span className="mode" data-on>
          <Icon name="lock" />
          {texts.note.label}
        </span>
      </p>
    );
  }
  const { dialogs } = useWorkspace().ui;
  const announce = useAnnounce();
  const choose = (next: boolean): void => {
    dialogs.setNoteMode(next ? c : undefined);
    announce(next ? texts.note.noted : texts.note.replying);
  };
  return (
    <div className="modes" role="group" aria-label={texts.note.mode}>
      <button
        type="button"
        className="mode"
        aria-pressed={!note}
        onClick={() => choose(false)}
        title={`${texts.note.reply} (r)`}
      >
        {texts.note.reply}
      </button>
      <button
        type="button"
        className="mode"
        aria-pressed={note}
        onClick={() => choose(true)}
        title={`${texts.note.label} (m)`}
      >
        <Icon name="lock" />
        {texts.note.note}
      </button>
    </div>
  );
}

function Counter(
  { id, left, limit, empty }: { id: string; left: number; limit: number; empty: boolean },
): ReactElement {
  const number = (value: number): string => value.toLocaleString();
  const shown = left < 0
    ? text.over({ count: -left })
    : left <= NEAR_LIMIT
    ? text.left({ count: left })
    : `${number(limit - left)} / ${number(limit)}`;
  return (
    <span className="counter" id={id} data-tone={left < 0 ? "over" : left <= NEAR_LIMIT ? "near" : undefined}>
      {empty ? <span className="aloud">{text.tooLong({ limit })}</span> : shown}
      <span className="aloud" role="status">{left < 0 ? text.tooLong({ limit }) : ""}</span>
    </span>
  );
}

function placeholder(status: string, who: string): string {
  if (status === "waiting") return text.placeholderTake;
  return status === "closed" ? text.placeholderClosed : text.placeholder({ name: who });
}

/** As high as its text, up to what the style allows. */
function useAutoHeight(box: React.RefObject<HTMLTextAreaElement>, draft: string): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`;
  }, [box, draft]);
}
