import type { ReactElement } from "react";
import type { Thread } from "../../client/agent-thread";
import type { InboxRow } from "../../client/events";
import { Avatar } from "./avatar";
import { CopyTranscript } from "./copy";
import { useDesk, usePlace } from "./desk";
import { Icon } from "./icons";
import { go, type Route } from "./route";
import { strings } from "./strings";

const text = strings.conversation;

interface BarProps {
  c: string;
  who: string;
  thread: Thread | undefined;
  row: InboxRow | undefined;
  route: Route;
  cardShown: boolean;
  toggleCard: () => void;
}

/** Who this is, how it stands, and what can be done with it. */
export function ConversationBar({ c, who, thread, row, route, cardShown, toggleCard }: BarProps): ReactElement {
  const { desk } = usePlace();
  const state = useDesk();
  const status = thread?.phase === "live" ? thread.timeline.status : row?.status;
  const busy = (kind: "take" | "close"): boolean => state.outbox.some((entry) => entry.c === c && entry.command.kind === kind);
  const mine = status === "open" && row?.to === state.me;
  return (
    <header className="bar conversation-bar">
      <button className="icon-button only-phone" aria-label={text.back} onClick={() => go({ ...route, c: undefined, card: false })}>
        <Icon name="back" flip />
      </button>
      {who === "" ? <span className="skeleton skeleton-avatar" /> : <Avatar name={who} />}
      <div className="conversation-who">
        <h2 dir="auto">{who || <span className="skeleton skeleton-line" data-width="s" />}</h2>
        {status !== undefined && <Standing status={status} row={row} mine={mine} />}
      </div>
      <div className="bar-actions">
        {status === "waiting" && (
          <button className="button button-main" disabled={busy("take")} onClick={() => desk.take(c)} title={`${text.take} (t)`}>
            {text.take}
          </button>
        )}
        {mine && (
          <button
            className="button" disabled={busy("close")} onClick={() => desk.finish(c)}
            aria-label={text.closeLong} title={`${text.closeLong} (e)`}
          >
            <Icon name="resolve" />{text.close}
          </button>
        )}
        {thread !== undefined && thread.timeline.events.length > 0 && <CopyTranscript thread={thread} who={who} />}
        <button className="icon-button" aria-expanded={cardShown} aria-label={text.details} title={`${text.details} (i)`} onClick={toggleCard}>
          <Icon name="info" />
        </button>
      </div>
    </header>
  );
}

function Standing({ status, row, mine }: { status: InboxRow["status"]; row: InboxRow | undefined; mine: boolean }): ReactElement {
  const words = strings.inbox;
  const answered = mine ? words.assignedYou : row?.toName === undefined ? undefined : words.assigned(row.toName);
  return (
    <p className="standing">
      <span className="chip" data-status={status}>{(status === "open" ? answered : undefined) ?? words.status[status]}</span>
      {row !== undefined && <span className="standing-channel">{strings.channel[row.channel ?? ""] ?? row.channel}</span>}
    </p>
  );
}
