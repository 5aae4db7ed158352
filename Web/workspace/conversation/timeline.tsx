import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { participant, type Thread } from "../../client/agent/agent-thread";
import type { Entry } from "../../client/core/outbox";
import { type AgentRow, agentRows } from "../../client/agent/private-rows";
import type { Notice, Row } from "../../client/conversation/thread";
import { BubbleView } from "./bubble";
import { NoteLine } from "./note";
import { SystemLine } from "./system-line";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { useWorkspace } from "../app/session-context";
import { dayText, midnight, timeText } from "../ui/format";
import { useNow } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { useScroll } from "./scroll";
import { texts } from "../i18n/texts";
import { CatchUpBar } from "./voice/voice";

const text = texts.conversation;
const CallLine = onDemand("CallLine");
const RatingLine = onDemand("RatingLine");

interface TimelineProps {
  thread: Thread;
  pending: readonly Entry[];
  online: boolean;
  who: string;
  unread: number;
  /** The message to show: a match of the search. */
  at: number | undefined;
  /** Called with whether the newest message is visible. */
  bottom: (inSight: boolean) => void;
}

/** The messages of a conversation, oldest first. */
export function Timeline({ thread, pending, online, who, unread, at, bottom }: TimelineProps): ReactElement {
  const { session, identity, ui } = useWorkspace();
  const now = useNow();
  const me = participant(thread, identity.agent.id) ?? -1;
  const rows = useMemo(
    () =>
      agentRows(thread.timeline, pending, {
        me,
        online,
        dayOf: (at) => String(midnight(at)),
        keyOf: (n) => session.commands.keyOf(thread.c, n),
      }).filter(isInformative),
    [thread.timeline, thread.c, pending, me, online, session],
  );
  const divider = useUnreadDivider(thread, rows, unread);
  const box = useRef<HTMLDivElement>(null);
  useSearchMatch(box, thread, at, () => session.older(thread.c));
  const { behind, toBottom } = useScroll(box, thread, rows, { bottom, older: () => session.older(thread.c) });

  return (
    <div className="timeline-frame">
      <CatchUpBar turn={rows} />
      <div className="timeline" ref={box} tabIndex={0} role="region" aria-label={text.messages} id="messages">
        <TimelineTop thread={thread} older={() => session.older(thread.c)} />
        <ol className="messages">
          {rows.map((row) => (
            <RowView
              key={row.id}
              row={row}
              c={thread.c}
              who={who}
              me={me}
              now={now}
              divided={row.id === divider}
              words={"n" in row && row.n === at ? ui.search.store.get().filter.q : undefined}
            />
          ))}
        </ol>
        <Typing thread={thread} who={who} />
      </div>
      {behind !== undefined && (
        <button className="to-latest" onClick={toBottom}>
          <Icon name="down" />
          {behind > 0 ? text.newMessages({ count: behind }) : text.latest}
        </button>
      )}
    </div>
  );
}

const isNotice = (row: AgentRow | undefined): row is Extract<Row, { row: "notice" }> => row?.row === "notice";

/** Hides implied notices: answering implies joining, reopening implies answering. */
function isInformative(row: AgentRow, index: number, rows: readonly AgentRow[]): boolean {
  if (!isNotice(row)) return true;
  const [before, next] = [rows[index - 1], rows[index + 1]];
  const with_ = (other: AgentRow | undefined, what: Notice): boolean =>
    isNotice(other) && other.what === what && other.by === row.by;
  if (row.what === "joined") return !with_(next, "assigned") && !with_(next, "resumed");
  return row.what !== "assigned" || !with_(before, "resumed");
}

/** The first message that was unread when the conversation was opened; stays until it is left. */
function useUnreadDivider(thread: Thread, rows: readonly AgentRow[], unread: number): string | undefined {
  const [at, setAt] = useState<string | undefined>();
  const known = useRef(false);
  useLayoutEffect(() => {
    if (known.current || thread.phase !== "live") return;
    known.current = true;
    const theirs = rows.filter((row) => row.row === "bubble" && row.by === 1);
    const first = theirs[theirs.length - unread];
    if (unread > 0 && first !== undefined && rows.findIndex((row) => row.row === "bubble") < rows.indexOf(first)) {
      setAt(first.id);
    }
  }, [thread.phase, rows, unread]);
  return at;
}

function TimelineTop({ thread, older }: { thread: Thread; older: () => void }): ReactElement {
  if (!thread.timeline.more) return <p className="timeline-top">{text.beginning}</p>;
  return (
    <p className="timeline-top">
      {thread.asked && !thread.asked.fills
        ? <span className="spinner" role="status" aria-label={text.older} />
        : <button className="link" onClick={older}>{text.olderButton}</button>}
    </p>
  );
}

function Typing({ thread, who }: { thread: Thread; who: string }): ReactElement {
  const names = thread.typing.map((
    by,
  ) => (by === 1 ? who : thread.timeline.people.find((one) => one.by === by)?.name ?? ""));
  return (
    <div className="typing" aria-live="polite">
      {names.length > 0 && (
        <span className="typing-in">
          <span className="dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {names.map((name) => text.typing({ name })).join(" · ")}
        </span>
      )}
    </div>
  );
}

/** Scrolls to a search match once, fetching older messages until it is loaded. */
function useSearchMatch(
  box: RefObject<HTMLDivElement>,
  thread: Thread,
  at: number | undefined,
  older: () => void,
): void {
  const { events, more } = thread.timeline;
  const shown = useRef<number | undefined>();
  const first = events[0]?.n;
  useEffect(() => {
    if (at === undefined || shown.current === at || thread.phase !== "live") return;
    const row = box.current?.querySelector<HTMLElement>(`[data-n="${at}"]`);
    if (row === null || row === undefined) {
      if (more && first !== undefined && first > at) older();
      return;
    }
    shown.current = at;
    row.scrollIntoView({ block: "center" });
    row.dataset["match"] = "";
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
  }, [at, thread.phase, events, first, more, box, older]);
}

interface RowProps {
  row: AgentRow;
  c: string;
  who: string;
  me: number;
  now: number;
  divided: boolean;
  /** The words of the search that found this row. */
  words?: string | undefined;
}

export function RowView({ row, c, who, me, now, divided, words }: RowProps): ReactElement {
  const { session, identity } = useWorkspace();
  if (row.row === "day") {
    return (
      <li className="day">
        <span>{dayText(row.at, now)}</span>
      </li>
    );
  }
  if (row.row === "note") return <NoteLine row={row} c={c} me={me} words={words} />;
  if (row.row === "system") {
    return row.event.content.kind.startsWith("call") && row.event.content.kind !== "callback"
      ? <CallLine row={row} c={c} who={who} mine={row.by === me} />
      : <SystemLine row={row} who={who} me={me} />;
  }
  if (row.row === "rated") return <RatingLine row={row} c={c} who={who} />;
  if (row.row === "notice") {
    return (
      <li className="notice">
        <span>{noticeText(row, who, me)}</span> <time>{timeText(row.at)}</time>
      </li>
    );
  }
  return (
    <>
      {divided && (
        <li className="divider">
          <span>{text.newDivider}</span>
        </li>
      )}
      <BubbleView c={c} bubble={row} session={session} who={who} limit={identity.limits.text} words={words} />
    </>
  );
}

function noticeText({ what, by, name }: Extract<Row, { row: "notice" }>, who: string, me: number): string {
  const notice = texts.notice;
  const mine = by === me;
  const someone = by === 1 ? who : name || notice.somebody;
  switch (what) {
    case "joined":
      return mine ? notice.joinedYou : notice.joined({ name: someone });
    case "assigned":
      return mine ? notice.assignedYou : notice.assigned({ name: someone });
    case "closed":
      return by === 0 ? notice.closedSystem : mine ? notice.closedYou : notice.closed({ name: someone });
    case "resumed":
      return by === 0 ? notice.resumedSystem : mine ? notice.resumedYou : notice.resumed({ name: someone });
    case "reopened":
      return mine ? notice.reopenedYou : notice.reopened({ name: someone });
  }
}

export type Box = RefObject<HTMLDivElement>;
