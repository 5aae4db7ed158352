import { memo, type ReactElement } from "react";
import type { NoteRow } from "../../client/agent/private-rows";
import { MessageText } from "./bubble";
import { useNameOf, useSessionState } from "../app/session-context";
import { dateTimeText, timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { NoteVoice } from "./voice/voice";
import { texts } from "../i18n/texts";

const text = texts.note;

interface NoteProps {
  readonly row: NoteRow;
  readonly c: string;
  readonly me: number;
  /** The words of the search that found this note. */
  readonly words: string | undefined;
}

/** A private note, visibly different from messages that the consumer sees. */
export const NoteLine = memo(function NoteView({ row, c, me, words }: NoteProps): ReactElement {
  const state = useSessionState();
  const nameOf = useNameOf();
  const own = row.by === me;
  const asked = row.mentions.includes(state.me) &&
    state.inbox.rows.get(c)?.routing?.mentioned.includes(state.me) === true;
  return (
    <li className="note" data-n={row.n || undefined} data-asked={asked || undefined} data-pending={row.pending}>
      <p className="note-head">
        <Icon name="lock" />
        <strong>{text.label}</strong>
        <span dir="auto">{own ? texts.say.you : row.name || texts.notice.somebody}</span>
        <span className="note-only">{text.only}</span>
        <time dateTime={new Date(row.at).toISOString()} title={dateTimeText(row.at)}>
          {row.pending ? text.saving : timeText(row.at)}
        </time>
      </p>
      {row.text !== undefined && (
        <p className="note-text" dir="auto">
          <MessageText text={row.text} words={words} />
        </p>
      )}
      {row.audio !== undefined && <NoteVoice c={c} n={row.n} own={own} audio={row.audio} />}
      {row.mentions.length > 0 && (
        <p className="note-for">
          <Icon name="at" />
          {row.mentions.map(nameOf).join(", ")}
        </p>
      )}
    </li>
  );
});
