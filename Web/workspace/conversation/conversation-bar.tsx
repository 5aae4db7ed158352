import { type ReactElement, useState } from "react";
import type { Thread } from "../../client/agent/agent-thread";
import type { InboxRow } from "../../client/conversation/events";
import type { Stance } from "../../client/agent/permissions";
import { Avatar } from "../ui/avatar";
import { copyTranscript } from "./copy-transcript";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { Countdown } from "../inbox/countdown";
import { Popover } from "../ui/popover";
import { go, type Route } from "../app/route";
import { texts } from "../i18n/texts";
import { closeConversation, usePermissions } from "../actions/dialog-state";
import { useReturnToQueue } from "../actions/commands";
import { usePage } from "../app/page-context";

const text = texts.conversation;
const acts = texts.actions;

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
export function ConversationBar(props: BarProps): ReactElement {
  const { c, who, thread, row, route, cardShown, toggleCard } = props;
  const workspace = useWorkspace();
  const { session, ui: { dialogs } } = workspace;
  const page = usePage();
  const state = useSessionState();
  const stance = usePermissions(c);
  const known = thread?.phase === "live" || row !== undefined;
  const busy = (kind: "take" | "close"): boolean =>
    state.outbox.some((entry) => entry.c === c && entry.command.kind === kind);
  return (
    <header className="bar conversation-bar">
      <button
        className="icon-button only-phone"
        aria-label={text.back}
        onClick={() => go({ ...route, c: undefined, card: false })}
      >
        <Icon name="back" flip />
      </button>
      {who === "" ? <span className="skeleton skeleton-avatar" /> : <Avatar name={who} />}
      <div className="conversation-who">
        <h2 dir="auto">{who || <span className="skeleton skeleton-line" data-width="s" />}</h2>
        {known && <ConversationStatus stance={stance} row={row} />}
      </div>
      <div className="bar-actions">
        {known && stance.status === "waiting" && (
          <button
            className="button button-main"
            disabled={busy("take")}
            onClick={() => session.take(c)}
            title={`${text.take} (t)`}
          >
            {text.take}
          </button>
        )}
        {stance.mine && (
          <button
            className="icon-button not-phone"
            onClick={() => dialogs.open("callback", c)}
            aria-label={acts.promise}
            title={`${acts.promise} (b)`}
          >
            <Icon name="clock" />
          </button>
        )}
        {known && stance.mayTransfer && (
          <button
            className="icon-button not-phone"
            onClick={() => dialogs.open("transfer", c)}
            aria-label={acts.transfer}
            title={`${acts.transfer} (Alt + Shift + R)`}
          >
            <Icon name="arrow" flip />
          </button>
        )}
        {stance.mine && (
          <button
            className="button"
            disabled={busy("close")}
            onClick={() => closeConversation(workspace, c)}
            aria-label={text.closeLong}
            title={`${text.closeLong} (e)`}
          >
            <Icon name="resolve" />
            {text.close}
          </button>
        )}
        {known && (thread?.timeline.events.length ?? 0) > 0 && (
          <button
            className="icon-button not-phone"
            aria-label={text.copy}
            title={`${text.copy} (Alt + Shift + Y)`}
            onClick={() => void copyTranscript(session, page, c)}
          >
            <Icon name="copy" />
          </button>
        )}
        {known && (
          <MoreMenu c={c} stance={stance} row={row} route={route} said={(thread?.timeline.events.length ?? 0) > 0} />
        )}
        <button
          className="icon-button"
          aria-expanded={cardShown}
          aria-label={text.details}
          title={`${text.details} (i)`}
          onClick={toggleCard}
        >
          <Icon name="info" />
        </button>
      </div>
    </header>
  );
}

/** What is wanted less often. */
function MoreMenu(
  { c, stance, row, route, said }: {
    c: string;
    stance: Stance;
    row: InboxRow | undefined;
    route: Route;
    said: boolean;
  },
): ReactElement {
  const workspace = useWorkspace();
  const { session, ui: { dialogs } } = workspace;
  const page = usePage();
  const returnToQueue = useReturnToQueue();
  const [open, setOpen] = useState(false);
  const item = (label: string, key: string, run: () => void): ReactElement => (
    <button
      key={label}
      className="menu-item"
      onClick={() => {
        setOpen(false);
        run();
      }}
    >
      {label}
      {key !== "" && <kbd>{key}</kbd>}
    </button>
  );
  const urgent = row?.routing?.urgent === true;
  return (
    <Popover open={open} setOpen={setOpen} label={acts.more} className="icon-button" button={<Icon name="more" />}>
      {stance.mayTransfer && item(acts.transfer, "x", () => dialogs.open("transfer", c))}
      {stance.mayTransfer && stance.status === "open" && item(acts.toQueue, "Alt ⇧ Q", () => returnToQueue(c, route))}
      {stance.mine && item(acts.promise, "b", () => dialogs.open("callback", c))}
      {stance.mine && row?.routing?.callback !== undefined &&
        item(acts.back, "", () => session.ask(c, { callback: 0 }))}
      {stance.mayTakeOver && item(texts.watching.takeOver, "Alt ⇧ O", () => session.ask(c, { takeOver: {} }))}
      {stance.status !== "closed" &&
        item(urgent ? acts.notUrgent : acts.urgent, "u", () => session.ask(c, { urgent: !urgent }))}
      {stance.status !== "closed" && item(acts.why, "w", () => dialogs.open("why", c))}
      {!stance.mine && stance.mayClose && item(text.closeLong, "e", () => closeConversation(workspace, c))}
      {stance.mayClose && item(acts.closeQuietly, "", () => session.ask(c, { closeQuietly: {} }))}
      {said && item(text.copy, "Alt ⇧ Y", () => void copyTranscript(session, page, c))}
    </Popover>
  );
}

function ConversationStatus({ stance, row }: { stance: Stance; row: InboxRow | undefined }): ReactElement {
  const { centre } = useCentre();
  const { status, mine, theirs } = stance;
  const { due, callback, skill } = row?.routing ?? {};
  const answered = mine
    ? texts.inbox.assignedYou
    : theirs === undefined
    ? undefined
    : texts.inbox.assigned({ name: theirs });
  const name = centre?.skills.find(({ id }) => id === skill)?.name;
  return (
    <p className="standing">
      <span className="chip" data-status={status}>
        {(status === "open" ? answered : undefined) ?? texts.inbox.status[status]}
      </span>
      {row !== undefined && <span className="standing-channel">{texts.channel[row.channel ?? ""] ?? row.channel}</span>}
      {name !== undefined && <span className="standing-channel">{name}</span>}
      {status !== "closed" && due !== undefined && <Countdown due={due} />}
      {status === "open" && callback !== undefined && (
        <span className="row-callback">{acts.callback({ time: timeText(callback) })}</span>
      )}
      {row?.routing?.urgent && status !== "closed" && (
        <span className="mark mark-urgent">
          <Icon name="bolt" />
          {texts.row.urgent}
        </span>
      )}
    </p>
  );
}
