import { memo, type ReactElement } from "react";
import type { AgentSession } from "../../client/agent/agent-session";
import { mayHaveLinks } from "../../client/conversation/may-have-links";
import type { Bubble, Delivery } from "../../client/conversation/thread";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { Avatar } from "../ui/avatar";
import { dateTimeText, timeText } from "../ui/format";
import { Icon, Ticks } from "../ui/icons";
import { refusalText } from "../actions/refusals";
import { texts } from "../i18n/texts";
import { VoiceMessage } from "./voice/voice";

const text = texts.say;

interface BubbleProps {
  c: string;
  bubble: Bubble;
  session: AgentSession;
  /** The consumer's name; agents' names come with the bubble. */
  who: string;
  limit: number;
  /** The words of the search that found this message. */
  words?: string | undefined;
}

/** One message: the consumer's at the start of the line, the brand's at its end. */
export const BubbleView = memo(function BubbleView(props: BubbleProps): ReactElement {
  const { c, bubble, session, who, limit, words } = props;
  const consumer = bubble.by === 1;
  const name = consumer ? who : bubble.own ? text.you : bubble.by === 0 ? texts.notice.automatic : bubble.name;
  return (
    <li
      className="message"
      data-n={bubble.n || undefined}
      data-auto={bubble.by === 0 || undefined}
      data-side={consumer ? "consumer" : "brand"}
      data-first={bubble.first || undefined}
      data-last={bubble.last || undefined}
    >
      {consumer && <span className="message-face">{bubble.last && <Avatar name={who} />}</span>}
      <div className="message-body">
        {bubble.first && !consumer && !bubble.own && (
          <span className="message-name" dir="auto" aria-hidden="true">{name}</span>
        )}
        <div className="bubble" data-kind={bubble.said.kind} data-state={bubble.delivery}>
          <span className="aloud">{`${name}, ${timeText(bubble.at)}: `}</span>
          {bubble.said.kind === "text"
            ? (
              <p dir="auto">
                <MessageText text={bubble.said.text} words={words} />
              </p>
            )
            : <VoiceMessage c={c} bubble={bubble} />}
        </div>
        {bubble.failed
          ? <SendFailure failed={bubble.failed} session={session} limit={limit} />
          : <BubbleFooter bubble={bubble} />}
      </div>
    </li>
  );
});

/** Time and delivery status: below the last message of a group, and below own voice messages that were played. */
function BubbleFooter({ bubble }: { bubble: Bubble }): ReactElement | null {
  if (!bubble.last && !(bubble.own && bubble.played !== undefined && bubble.played.percent > 0)) return null;
  return (
    <span className="message-foot">
      <time dateTime={new Date(bubble.at).toISOString()} title={dateTimeText(bubble.at)} aria-hidden="true">
        {timeText(bubble.at)}
      </time>
      {bubble.delivery !== undefined && <DeliveryState delivery={bubble.delivery} played={bubble.played} />}
    </span>
  );
}

function DeliveryState({ delivery, played }: { delivery: Delivery; played: Bubble["played"] }): ReactElement {
  const partly = played !== undefined && played.percent > 0 && !played.listened
    ? text.partly({ percent: Math.round(played.percent) })
    : undefined;
  const waits = delivery === "sending" || delivery === "waiting";
  const icon = waits
    ? <Icon name="clock" />
    : delivery === "listened"
    ? <Icon name="ear" />
    : <Ticks two={delivery !== "sent"} />;
  return (
    <span className="state" data-state={delivery} title={partly}>
      {icon}
      {states[delivery]}
      {partly !== undefined && <span className="state-partly">{` · ${partly}`}</span>}
    </span>
  );
}

const states: Record<Delivery, string> = {
  waiting: text.queued,
  sending: text.sending,
  sent: text.sent,
  delivered: text.delivered,
  read: text.read,
  listened: text.listened,
  failed: text.failed,
};

function SendFailure(
  { failed, session, limit }: { failed: NonNullable<Bubble["failed"]>; session: AgentSession; limit: number },
): ReactElement {
  return (
    <div className="message-failed" role="alert">
      <Icon name="warn" />
      <span>{text.failed}. {refusalText(failed.code, limit)}</span>
      <button className="link" onClick={() => session.commands.retry(failed.key)}>{text.retry}</button>
      <button className="link" onClick={() => session.commands.discard(failed.key)}>{text.discard}</button>
    </div>
  );
}

const Linked = onDemand("LinkedText", PlainText);

interface TextProps {
  readonly text: string;
  /** The words of a search that found this message: they are marked. */
  readonly words?: string | undefined;
}

/** The text of a message or a note. Links and marks appear when their code has loaded. */
export function MessageText(props: TextProps): ReactElement {
  return props.words !== undefined || mayHaveLinks(props.text) ? <Linked {...props} /> : <PlainText {...props} />;
}

function PlainText({ text: plain }: TextProps): ReactElement {
  return <>{plain}</>;
}
