import {
  type FormEvent,
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { noteDraft } from "../../client/agent/agent-state";
import { mentioned } from "../../client/agent/canned-replies/canned-replies";
import type { Selected } from "../../client/agent/canned-replies/clips";
import type { ConversationPermissions } from "../../client/agent/permissions";
import { scalars } from "../../client/core/text";
import { useAnnounce } from "../app/page-context";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { texts } from "../i18n/texts";
import { useAutoHeight } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { Picker, type PickerState, usePicker } from "./canned-reply-picker";
import { type ClipAttachment, ClipChip, useClipAttachment } from "./clip";
import { MicButton } from "./recording";

const text = texts.composer;

/** The counter announces the rest from this many characters before the limit. */
const NEAR_LIMIT = 100;

interface MessageFormProps {
  c: string;
  who: string;
  permissions: ConversationPermissions;
  note: boolean;
  disabled: boolean;
  language: string | undefined;
  skill: string | undefined;
}

/** The field for a reply or a private note, with its suggestions, microphone and send button. */
export function MessageForm({ c, who, permissions, note, disabled, language, skill }: MessageFormProps): ReactElement {
  const { identity } = useWorkspace();
  const { settings } = useSessionState();
  const clipping = useClipAttachment(c);
  const { draft, write, select } = useDraft(c, note, permissions, clipping);
  const box = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useCaret(c, box, draft);
  const speaks = !note && settings.audio.on && permissions.status !== "closed";
  const attach = speaks ? clipping.attach : undefined;
  const picking = usePicker({ box, draft, caret, note, who, skill, language, write, attach });
  const left = identity.limits.text - scalars(draft);
  const hasContent = draft.trim() !== "" || (!note && clipping.clip !== undefined);
  const sendable = hasContent && left >= 0 && !disabled && !clipping.busy;
  const sendDraft = useSend(c, note, draft, write, clipping);
  const send = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    if (!sendable) return;
    sendDraft();
    box.current?.focus();
  };
  const id = `${note ? "note" : "reply"}-${c}`;
  return (
    <form className="writing" onSubmit={send} data-over={left < 0 || undefined}>
      <Picker picking={picking} id={`${id}-list`} />
      {permissions.maySay && permissions.mayNote && <ModeSwitch c={c} note={note} />}
      {!permissions.maySay && <NoteModeOnly />}
      {!note && <ClipChip clipping={clipping} />}
      <label className="aloud" htmlFor={id}>{note ? texts.note.to({ who }) : text.label({ name: who })}</label>
      <TextBox
        id={id}
        box={box}
        draft={draft}
        disabled={disabled}
        readOnly={clipping.busy}
        tooLong={left < 0}
        picking={picking}
        placeholder={note ? texts.note.placeholder : placeholder(permissions.status, who)}
        change={write}
        moveCaret={setCaret}
        select={select}
        send={send}
      />
      <div className="writing-foot">
        <MicButton c={c} status={permissions.status} ready={!disabled} note={note} />
        <span className="writing-hint not-phone" aria-hidden="true">{hint(note, permissions.maySay)}</span>
        <Counter id={`${id}-count`} left={left} limit={identity.limits.text} empty={draft === ""} />
        <button className="button button-main button-send" disabled={!sendable}>
          <span>{note ? texts.note.save : text.send}</span>
          <Icon name={note ? "lock" : "send"} flip={!note} />
        </button>
      </div>
    </form>
  );
}

interface Draft {
  readonly draft: string;
  readonly write: (value: string) => void;
  /** Takes note of what is selected: the next edit replaces it. */
  readonly select: (selected: Selected) => void;
}

/**
 * The draft of a reply or a note. Typing is reported to the consumer only for replies in an open conversation. Editing
 * a reply may remove the clip that came with its text.
 */
function useDraft(c: string, note: boolean, { status }: ConversationPermissions, clipping: ClipAttachment): Draft {
  const { session } = useWorkspace();
  const selected = useRef<Selected>([0, 0]);
  const name = note ? noteDraft(c) : c;
  const draft = useSessionState().drafts.get(name) ?? "";
  const write = (value: string): void => {
    if (!note) clipping.edited(draft, value, selected.current);
    selected.current = [0, 0];
    session.draft(name, value, !note && status === "open");
  };
  return { draft, write, select: (now) => (selected.current = now) };
}

/** The caret's position in the text field; takes the focus after the mode was switched, or an offer accepted. */
function useCaret(c: string, box: RefObject<HTMLTextAreaElement>, draft: string): [number, (caret: number) => void] {
  const { dialogs, focus } = useWorkspace().ui;
  const [caret, setCaret] = useState(0);
  useAutoHeight(box, draft);
  useLayoutEffect(() => {
    if (dialogs.takeComposerFocus() || focus.takeReply(c)) box.current?.focus();
  }, [dialogs, focus, c, box]);
  // A draft that a keyboard shortcut started has its caret at the end.
  useLayoutEffect(() => setCaret(box.current?.selectionStart ?? 0), [draft, box]);
  return [caret, setCaret];
}

/** Sends the draft as a reply, after its clip, or as a private note with the colleagues it mentions. */
function useSend(
  c: string,
  note: boolean,
  draft: string,
  write: (value: string) => void,
  clipping: ClipAttachment,
): () => void {
  const { session } = useWorkspace();
  const { agents } = useCentre();
  const reply = async (said: string): Promise<void> => {
    if (await clipping.send() && said !== "") session.say(c, said);
  };
  return () => {
    if (!note) {
      void reply(draft.trim());
      return;
    }
    const mentions = mentioned(draft, agents);
    session.ask(c, { note: { text: draft.trim(), ...(mentions.length > 0 ? { mentions } : {}) } });
    write("");
  };
}

interface TextBoxProps {
  id: string;
  box: RefObject<HTMLTextAreaElement>;
  draft: string;
  disabled: boolean;
  readOnly: boolean;
  tooLong: boolean;
  placeholder: string;
  picking: PickerState;
  change: (value: string) => void;
  moveCaret: (caret: number) => void;
  select: (selected: Selected) => void;
  send: (event: KeyboardEvent) => void;
}

/** The text field. Enter sends, unless the list of suggestions takes the key. */
function TextBox(props: TextBoxProps): ReactElement {
  const { id, box, draft, picking, change, moveCaret, select, send } = props;
  const key = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (picking.key(event) || event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    send(event);
  };
  return (
    <textarea
      id={id}
      className="reply"
      ref={box}
      rows={1}
      dir="auto"
      value={draft}
      disabled={props.disabled}
      readOnly={props.readOnly}
      placeholder={props.placeholder}
      aria-describedby={`${id}-count`}
      aria-invalid={props.tooLong || undefined}
      aria-autocomplete="list"
      aria-controls={picking.open ? `${id}-list` : undefined}
      aria-activedescendant={picking.open ? `${id}-list-${picking.at}` : undefined}
      onChange={(event) => {
        change(event.target.value);
        moveCaret(event.target.selectionStart);
      }}
      onSelect={({ currentTarget: { selectionStart, selectionEnd } }) => {
        moveCaret(selectionStart);
        select([selectionStart, selectionEnd]);
      }}
      onKeyDown={key}
    />
  );
}

function hint(note: boolean, maySay: boolean): string {
  if (!note) return text.hint;
  return maySay ? texts.note.hint : texts.note.hintOnly;
}

/** Shown instead of the switch where the person may only write notes. */
function NoteModeOnly(): ReactElement {
  return (
    <p className="modes">
      <span className="mode" data-on>
        <Icon name="lock" />
        {texts.note.label}
      </span>
    </p>
  );
}

/** Switches between a reply to the consumer and a private note. */
function ModeSwitch({ c, note }: { c: string; note: boolean }): ReactElement {
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
