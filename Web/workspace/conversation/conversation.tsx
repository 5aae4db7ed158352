import { useEffect, useMemo, useState, type ReactElement } from "react";
import { counts } from "../../client/agent/inbox";
import type { Thread } from "../../client/agent/agent-thread";
import { isMessage } from "../../client/core/outbox";
import type { ConversationEvent, InboxRow } from "../../client/conversation/events";
import { Composer } from "../composer/composer";
import { ConversationBar } from "./conversation-bar";
import { useSession, useViewer, usePlace } from "../app/session-context";
import { length } from "../ui/format";
import { useAttention, useLasting } from "../ui/hooks";
import { announce } from "../ui/announcer";
import { ChoosePicture, GonePicture } from "../ui/pictures";
import { RecordingElsewhere } from "../composer/recording";
import { address, go, type Route } from "../app/route";
import { MessageSkeletons } from "../ui/skeletons";
import { strings } from "../i18n/strings";
import { Timeline } from "./timeline";
import { words } from "../i18n/contact-centre-words";

const text = strings.conversation;

interface PaneProps {
  route: Route;
  cardShown: boolean;
  toggleCard: () => void;
  /** Which conversation a person looks at, down to its end. */
  reading: (c: string | undefined) => void;
}

/** The middle: the chosen conversation, or an invitation to choose one. */
export function ConversationPane({ route, ...rest }: PaneProps): ReactElement {
  const { desk } = usePlace();
  const state = useSession();
  const { c } = route;
  useEffect(() => {
    if (c !== undefined) desk.open(c);
  }, [c, desk]);
  const thread = c === undefined ? undefined : state.threads.get(c);
  if (c === undefined) return <Nothing route={route} />;
  if (thread?.phase === "gone") return <Gone route={route} />;
  return <Open key={c} c={c} thread={thread} row={state.inbox.rows.get(c)} route={route} {...rest} />;
}

interface OpenProps extends PaneProps {
  c: string;
  thread: Thread | undefined;
  row: InboxRow | undefined;
}

function Open({ c, thread, row, route, cardShown, toggleCard, reading }: OpenProps): ReactElement {
  const state = useSession();
  const who = thread?.who?.name ?? row?.who ?? "";
  const ready = thread !== undefined && thread.phase !== "loading";
  const pending = useMemo(() => state.outbox.filter((entry) => entry.c === c && (isMessage(entry) || entry.command.kind === "ask")), [state.outbox, c]);
  const [bottom, setBottom] = useState(false);
  useReading(c, ready && bottom, reading);
  useNews(thread, who);
  const slow = useLasting(!ready && state.link === "online", SLOW_MS);

  return (
    <section className="conversation" id="conversation" aria-label={text.region(who)} tabIndex={-1}>
      <ConversationBar c={c} who={who} thread={thread} row={row} route={route} cardShown={cardShown} toggleCard={toggleCard} />
      {ready
        ? (
          <Timeline
            thread={thread} pending={pending} online={state.link === "online"} who={who} unread={row?.unread ?? 0} at={route.at} bottom={setBottom}
          />
        )
        : <div className="timeline-frame"><MessageSkeletons />{slow && <p className="slow">{text.slow}</p>}</div>}
      <Composer c={c} who={who} thread={thread} row={row} ready={ready} />
    </section>
  );
}

/** After this time without an answer the skeletons get a word beside them. */
const SLOW_MS = 6000;

/** A message is read when a person looks at this page and at the end of this conversation. */
function useReading(c: string, inSight: boolean, reading: (c: string | undefined) => void): void {
  const { desk } = usePlace();
  const attention = useAttention();
  const seen = inSight && attention ? c : undefined;
  useEffect(() => {
    desk.look(seen);
    reading(seen);
    return () => {
      desk.look(undefined);
      reading(undefined);
    };
  }, [seen, desk, reading]);
}

/** Says aloud what the consumer has just said. */
function useNews(thread: Thread | undefined, who: string): void {
  const [played, setHeard] = useState<number | undefined>();
  const events = thread?.timeline.events;
  const newest = events?.[events.length - 1]?.n;
  useEffect(() => {
    if (events === undefined || newest === undefined) return;
    const fresh = played === undefined ? [] : events.filter(({ n, by }) => n > played && by === 1);
    const said = fresh.map(spoken).filter((words) => words !== "");
    if (said.length > 0) announce(strings.say.said(who, said.join(" ")));
    setHeard(newest);
  }, [events, newest, played, who]);
}

function spoken({ content }: ConversationEvent): string {
  if (content.kind === "text" || content.kind === "automatic") return content.text;
  return content.kind === "audio" ? strings.say.voice(length(content.audio.ms)) : "";
}

/** Nothing is chosen. Where nothing of mine is left to choose, that is said, and what waits. */
function Nothing({ route }: { route: Route }): ReactElement {
  const { inbox } = useSession();
  const looker = useViewer();
  const { session } = usePlace();
  const { mine, queue } = counts(inbox, looker);
  const done = inbox.loaded && mine === 0 && (route.tab === "mine" || session.agent.role !== "manager");
  const title = done ? words.next.done : text.none;
  return (
    <section className="conversation conversation-none" id="conversation" aria-label={title} tabIndex={-1}>
      <div className="empty">
        <ChoosePicture />
        <h2>{title}</h2>
        {done && <p>{queue === 0 ? words.next.quiet : <a href={address({ ...route, tab: "queue" })}>{words.next.queue(queue)}</a>}</p>}
        <RecordingElsewhere c={undefined} />
        {!done && <p className="not-phone">{text.noneHint} <kbd>j</kbd> <kbd>k</kbd> {text.noneHintOpen} <kbd>↵</kbd></p>}
      </div>
    </section>
  );
}

function Gone({ route }: { route: Route }): ReactElement {
  return (
    <section className="conversation conversation-none" id="conversation" aria-label={text.gone} tabIndex={-1}>
      <div className="empty" role="alert">
        <GonePicture />
        <h2>{text.gone}</h2>
        <p>{text.goneHint}</p>
        <button className="button" onClick={() => go({ ...route, c: undefined, card: false }, true)}>{text.goneOut}</button>
      </div>
    </section>
  );
}
