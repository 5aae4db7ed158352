import { memo, type ReactElement } from "react";
import type { NoteRow } from "../../client/agent/private-rows";
import { Linked } from "./bubble";
import { useSession, useNameOf } from "../app/session-context";
import { clock, moment } from "../ui/format";
import { Icon } from "../ui/icons";
import { NoteVoice } from "./voice";
import { strings } from "../i18n/strings";
import { words } from "../i18n/contact-centre-words";

const text = words.note;

/** A private note. It looks like nothing that the consumer sees, and says so. */
export const NoteView = memo(function NoteView({ row, c, me }: { row: NoteRow; c: string; me: number }): ReactElement {
  const state = useSession();
  const nameOf = useNameOf();
  const own = row.by === me;
  const asked = row.mentions.includes(state.me) && state.inbox.rows.get(c)?.routing?.mentioned.includes(state.me) === true;
  return (
    <li className="note" data-n={row.n || undefined} data-asked={asked || undefined} data-pending={row.pending}>
      <p className="note-head">
        <Icon name="lock" /><strong>{text.label}</strong>
        <span dir="auto">{own ? strings.say.you : row.name || strings.notice.somebody}</span>
        <span className="note-only">{text.only}</span>
        <time dateTime={new Date(row.at).toISOString()} title={moment(row.at)}>{row.pending ? text.saving : clock(row.at)}</time>
      </p>
      {row.text !== undefined && <p className="note-text" dir="auto"><Linked text={row.text} /></p>}
      {row.audio !== undefined && <NoteVoice c={c} n={row.n} own={own} audio={row.audio} />}
      {row.mentions.length > 0 && <p className="note-for"><Icon name="at" />{row.mentions.map(nameOf).join(", ")}</p>}
    </li>
  );
});
