import { memo, type ReactElement } from "react";
import { isUnanswered, type Section } from "../../client/agent/inbox";
import type { InboxRow } from "../../client/conversation/events";
import { Avatar } from "../ui/avatar";
import { useCentre, useNameOf } from "../app/session-context";
import { dateTimeText, durationText, elapsedText, shortTimeText, timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { Countdown } from "./countdown";
import { address, type Route } from "../app/route";
import { texts } from "../i18n/texts";

const text = texts.inbox;

interface RowProps {
  row: InboxRow;
  now: number;
  me: string;
  route: Route;
  section: Section;
  current: boolean;
  /** The person is looking at it now: new messages count as read. */
  read: boolean;
  /** The row that the Tab key stops at; a list has one. */
  stop: boolean;
  draft: boolean;
  preview: (c: string) => void;
}

/** One conversation in a list: consumer, last message, time left, and who answers. */
export const InboxRowLink = memo(function InboxRowLink(props: RowProps): ReactElement {
  const { row, now, me, route, current, stop, section } = props;
  const unread = props.read ? 0 : row.unread;
  const { unplayed = 0 } = row;
  return (
    <li className="row-place" data-c={row.c}>
      <a
        className="row"
        href={address({ tab: route.tab, c: row.c, card: false })}
        aria-current={current ? "true" : undefined}
        tabIndex={stop ? 0 : -1}
        data-unread={unread > 0 || undefined}
        data-status={row.status}
        data-section={section}
      >
        <Avatar name={row.who} />
        <span className="row-main">
          <span className="row-line">
            <span className="row-who" dir="auto">{row.who}</span>
            <span className="row-channel">{texts.channel[row.channel ?? ""] ?? row.channel}</span>
            <LastTime row={row} now={now} />
          </span>
          <span className="row-line">
            <LastMessage row={row} me={me} />
            {row.routing?.mentioned.includes(me) === true && (
              <span className="badge badge-at" title={texts.row.mentioned}>
                <Icon name="at" />
                <span className="aloud">{texts.row.mentioned}</span>
              </span>
            )}
            {unread > 0 && <UnreadBadge count={unread} />}
          </span>
          <span className="row-line row-foot">
            <RowStatus row={row} now={now} me={me} mineOnly={route.tab === "mine"} rings={section === "ringing"} />
            {unplayed > 0 && (
              <span className="row-unplayed">
                <Icon name="ear" />
                {text.unplayed({ length: durationText(unplayed) })}
              </span>
            )}
            <RowMarks row={row} me={me} />
            {props.draft && <span className="row-draft">{text.draft}</span>}
          </span>
        </span>
      </a>
      <button
        className="icon-button row-preview"
        tabIndex={-1}
        onClick={() => props.preview(row.c)}
        aria-label={text.preview({ who: row.who })}
        title={`${texts.conversation.preview} (p)`}
      >
        <Icon name="eye" />
      </button>
    </li>
  );
});

/** The time of the last message. For a voice message, hovering or focusing the row shows its length. */
function LastTime({ row, now }: { row: InboxRow; now: number }): ReactElement {
  const audio = row.last?.audio;
  return (
    <span className="row-when">
      <time
        className="row-time"
        dateTime={new Date(row.at).toISOString()}
        title={audio === undefined ? dateTimeText(row.at) : undefined}
      >
        <span className="aloud">{text.lastTime({ time: "" })}</span>
        {shortTimeText(row.at, now)}
      </time>
      {audio !== undefined && (
        <span className="row-tip">
          <strong>{text.audioMessage}</strong> <span>{durationText(audio)}</span>
        </span>
      )}
    </span>
  );
}

function LastMessage({ row, me }: { row: InboxRow; me: string }): ReactElement {
  const { last } = row;
  if (last === undefined) return <span className="row-last">{text.noMessage}</span>;
  const prefix = last.by === 1
    ? ""
    : last.by === 0
    ? `${texts.notice.automatic}: `
    : row.to === me
    ? text.you
    : row.toName === undefined
    ? text.answer
    : text.by({ name: row.toName });
  if (last.audio !== undefined) {
    return (
      <span className="row-last">
        {prefix}
        <Icon name="mic" />
        {text.voice({ length: durationText(last.audio) })}
      </span>
    );
  }
  return <span className="row-last" dir="auto">{prefix}{last.text}</span>;
}

function UnreadBadge({ count }: { count: number }): ReactElement {
  return (
    <span className="badge">
      <span aria-hidden="true">{count >= MANY ? "99+" : count}</span>
      <span className="aloud">{count >= MANY ? text.unreadMany : text.unread({ count })}</span>
    </span>
  );
}

/** From this number on, unread messages are not counted exactly. */
const MANY = 99;

interface StandingProps {
  row: InboxRow;
  now: number;
  me: string;
  mineOnly: boolean;
  rings: boolean;
}

/** The time left or the waiting time, and who answers. */
function RowStatus({ row, now, me, mineOnly, rings }: StandingProps): ReactElement {
  const { due, callback } = row.routing ?? {};
  const waits = due === undefined && isUnanswered(row) ? row.since : undefined;
  const who = row.to === me ? text.you2 : row.toName;
  return (
    <>
      {rings && (
        <span className="row-rings">
          <Icon name="bell" />
          {texts.row.rings}
        </span>
      )}
      {row.status !== "closed" && due !== undefined && <Countdown due={due} />}
      {waits !== undefined && (
        <span className="row-waits" title={text.waitsLong({ time: elapsedText(waits, now, "long") })}>
          <Icon name="clock" />
          {now - waits < MINUTE ? text.waitsNow : text.waits({ time: elapsedText(waits, now) })}
        </span>
      )}
      {row.status === "open" && callback !== undefined && (
        <span className="row-callback">{texts.row.callback({ time: timeText(callback) })}</span>
      )}
      {row.status === "closed" && <span className="row-status">{text.status.closed}</span>}
      {row.status === "open" && who !== undefined && !mineOnly && (
        <span className="row-to" title={text.assigned({ name: who })}>{who}</span>
      )}
    </>
  );
}

/** The most tags shown; the others are counted. */
const TAGS = 2;

/** Urgency, skill, rating and tags of a conversation. */
function RowMarks({ row: { routing, status }, me }: { row: InboxRow; me: string }): ReactElement | null {
  const { centre } = useCentre();
  const nameOf = useNameOf();
  if (routing === undefined) return null;
  const skill = centre?.skills.find((one) => one.id === routing.skill)?.name ?? routing.skill;
  return (
    <>
      {routing.urgent && status !== "closed" && (
        <span className="mark mark-urgent">
          <Icon name="bolt" />
          {texts.row.urgent}
        </span>
      )}
      {routing.for !== undefined && status === "waiting" && (
        <span className="mark mark-for">{routing.for === me ? texts.row.forYou : nameOf(routing.for)}</span>
      )}
      {routing.csat !== undefined && (
        <span className="mark" title={texts.row.csat({ stars: routing.csat })}>
          <Icon name="star" />
          {routing.csat}
        </span>
      )}
      {skill !== undefined && <span className="mark mark-skill">{skill}</span>}
      {routing.tags.slice(0, TAGS).map((tag) => <span key={tag} className="mark">{tag}</span>)}
      {routing.tags.length > TAGS && (
        <span className="mark" title={routing.tags.slice(TAGS).join(", ")}>{`+${routing.tags.length - TAGS}`}</span>
      )}
    </>
  );
}

const MINUTE = 60_000;
