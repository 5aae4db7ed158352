import { type ReactElement, useEffect, useMemo, useState } from "react";
import { counts } from "../../client/agent/inbox";
import { may } from "../../client/agent/permissions";
import type { Thread } from "../../client/agent/agent-thread";
import { isMessage } from "../../client/core/outbox";
import type { ConversationEvent, InboxRow } from "../../client/conversation/events";
import { Composer } from "../composer/composer";
import { ConversationBar } from "./conversation-bar";
import { useSessionState, useViewer, useWorkspace } from "../app/session-context";
import { durationText } from "../ui/format";
import { PHONE, useAttention, useMedia, useSustained } from "../ui/hooks";
import { useAnnounce } from "../app/page-context";
import { ChoosePicture } from "../ui/pictures";
import { RecordingElsewhere } from "../composer/recording";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { useFirstSteps } from "../first-steps/use-first-steps";
import { address, type Route } from "../app/route";
import { MessageSkeletons } from "../ui/skeletons";
import { texts } from "../i18n/texts";
import { Timeline } from "./timeline";

const text = texts.conversation;

const FirstSteps = onDemand("FirstSteps");
const ConversationUnavailable = onDemand("ConversationUnavailable");

interface PaneProps {
  route: Route;
  cardShown: boolean;
  toggleCard: () => void;
  /** Called with the conversation whose end the person is looking at. */
  reading: (c: string | undefined) => void;
}

/** The selected conversation, or an invitation to select one. */
export function ConversationPane({ route, ...rest }: PaneProps): ReactElement {
  const { session } = useWorkspace();
  const state = useSessionState();
  const { c } = route;
  useEffect(() => {
    if (c !== undefined) session.open(c);
  }, [c, session]);
  const thread = c === undefined ? undefined : state.threads.get(c);
  if (c === undefined) return <NoConversation route={route} />;
  if (thread?.phase === "gone") return <ConversationUnavailable route={route} />;
  return <OpenConversation key={c} c={c} thread={thread} row={state.inbox.rows.get(c)} route={route} {...rest} />;
}

interface OpenProps extends PaneProps {
  c: string;
  thread: Thread | undefined;
  row: InboxRow | undefined;
}

function OpenConversation({ c, thread, row, route, cardShown, toggleCard, reading }: OpenProps): ReactElement {
  const state = useSessionState();
  const who = thread?.who?.name ?? row?.who ?? "";
  const ready = thread !== undefined && thread.phase !== "loading";
  const pending = useMemo(
    () => state.outbox.filter((entry) => entry.c === c && (isMessage(entry) || entry.command.kind === "ask")),
    [state.outbox, c],
  );
  const [bottom, setBottom] = useState(false);
  useReading(c, ready && bottom, reading);
  useMessageAnnouncements(thread, who);
  const slow = useSustained(!ready && state.link === "online", SLOW_MS);

  return (
    <section className="conversation" id="conversation" aria-label={text.region({ name: who })} tabIndex={-1}>
      <ConversationBar
        c={c}
        who={who}
        thread={thread}
        row={row}
        route={route}
        cardShown={cardShown}
        toggleCard={toggleCard}
      />
      {ready
        ? (
          <Timeline
            thread={thread}
            pending={pending}
            online={state.link === "online"}
            who={who}
            unread={row?.unread ?? 0}
            at={route.at}
            bottom={setBottom}
          />
        )
        : (
          <div className="timeline-frame">
            <MessageSkeletons />
            {slow && <p className="slow">{text.slow}</p>}
          </div>
        )}
      <Composer c={c} who={who} thread={thread} row={row} ready={ready} />
    </section>
  );
}

/** After this time, the skeletons get an explanation. */
const SLOW_MS = 6000;

/** Marks messages as read while the page has the focus and the conversation's end is visible. */
function useReading(c: string, inSight: boolean, reading: (c: string | undefined) => void): void {
  const { session } = useWorkspace();
  const attention = useAttention();
  const seen = inSight && attention ? c : undefined;
  useEffect(() => {
    session.look(seen);
    reading(seen);
    return () => {
      session.look(undefined);
      reading(undefined);
    };
  }, [seen, session, reading]);
}

/** Announces the consumer's new messages to screen readers. */
function useMessageAnnouncements(thread: Thread | undefined, who: string): void {
  const announce = useAnnounce();
  const [announced, setAnnounced] = useState<number | undefined>();
  const events = thread?.timeline.events;
  const newest = events?.[events.length - 1]?.n;
  useEffect(() => {
    if (events === undefined || newest === undefined) return;
    const fresh = announced === undefined ? [] : events.filter(({ n, by }) => n > announced && by === 1);
    const said = fresh.map(announcedText).filter((texts) => texts !== "");
    if (said.length > 0) announce(texts.say.said({ name: who, what: said.join(" ") }));
    setAnnounced(newest);
  }, [events, newest, announced, who, announce]);
}

function announcedText({ content }: ConversationEvent): string {
  if (content.kind === "text" || content.kind === "automatic") return content.text;
  return content.kind === "audio" ? texts.say.voice({ length: durationText(content.audio.ms) }) : "";
}

/** Shown when no conversation is selected; tells when all of the person's conversations are done. */
function NoConversation({ route }: { route: Route }): ReactElement {
  const { inbox } = useSessionState();
  const looker = useViewer();
  const { identity } = useWorkspace();
  const { mine, queue } = counts(inbox, looker);
  const watches = may(identity, "conversations.takeOver");
  const answers = may(identity, "conversations.answer");
  const steps = useFirstSteps();
  const isPhone = useMedia(PHONE);
  const done = inbox.loaded && mine === 0 && answers && (route.tab === "mine" || !watches);
  const title = done ? texts.next.done : text.none;
  if (steps) {
    return (
      <section className="conversation conversation-none" id="conversation" aria-label={title} tabIndex={-1}>
        {!isPhone && <FirstSteps />}
        <RecordingElsewhere c={undefined} />
      </section>
    );
  }
  return (
    <section className="conversation conversation-none" id="conversation" aria-label={title} tabIndex={-1}>
      <div className="empty">
        <ChoosePicture />
        <h2>{title}</h2>
        {done && (
          <p>
            {queue === 0
              ? texts.next.quiet
              : <a href={address({ ...route, tab: "queue" })}>{texts.next.queue({ count: queue })}</a>}
          </p>
        )}
        <RecordingElsewhere c={undefined} />
        {!done && (
          <p className="not-phone">
            {text.noneHint} <kbd>j</kbd> <kbd>k</kbd> {text.noneHintOpen} <kbd>↵</kbd>
          </p>
        )}
      </div>
    </section>
  );
}
