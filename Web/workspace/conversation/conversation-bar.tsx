import { type ReactElement } from "react";
import type { Thread } from "../../client/agent/agent-thread";
import type { ConversationPermissions } from "../../client/agent/permissions";
import type { InboxRow } from "../../client/conversation/events";
import { closeConversation, usePermissions } from "../actions/dialog-state";
import { usePage } from "../app/page-context";
import { go, type Route } from "../app/route";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { texts } from "../i18n/texts";
import { Countdown } from "../inbox/countdown";
import { Avatar } from "../ui/avatar";
import { timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { copyTranscript } from "./copy-transcript";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { MoreMenu } from "./more-menu";

const CallButtons = onDemand("CallButtons");

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

/** The header of a conversation: consumer, status and actions. */
export function ConversationBar(props: BarProps): ReactElement {
  const { c, who, thread, row, route, cardShown, toggleCard } = props;
  const permissions = usePermissions(c);
  const known = thread?.phase === "live" || row !== undefined;
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
        {known && <ConversationStatus permissions={permissions} row={row} />}
      </div>
      <div className="bar-actions">
        {known && <BarActions {...props} permissions={permissions} />}
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

/** The buttons for what the person may do with the conversation. */
function BarActions(
  { c, thread, row, route, permissions }: BarProps & { permissions: ConversationPermissions },
): ReactElement {
  const workspace = useWorkspace();
  const { session, ui: { dialogs } } = workspace;
  const page = usePage();
  const { outbox, settings: { calls } } = useSessionState();
  // Calls need the room; copying is in the menu, too.
  const hasMessages = (thread?.timeline.events.length ?? 0) > 0;
  const hasCopy = hasMessages && !calls?.voice && !calls?.video;
  const busy = (kind: "take" | "close"): boolean =>
    outbox.some((entry) => entry.c === c && entry.command.kind === kind);
  return (
    <>
      {permissions.mayTake && (
        <button
          className="button button-main"
          disabled={busy("take")}
          onClick={() => session.take(c)}
          title={`${text.take} (t)`}
        >
          {text.take}
        </button>
      )}
      {permissions.maySettle && (
        <BarIcon icon="check" label={acts.settle} keys="y" run={() => session.ask(c, { settle: {} })} />
      )}
      {permissions.mine && permissions.mayAnswer && <CallButtons c={c} />}
      {permissions.mine && permissions.mayAnswer && (
        <BarIcon icon="clock" label={acts.promise} keys="b" run={() => dialogs.open("callback", c)} />
      )}
      {permissions.mayTransfer && (
        <BarIcon
          icon="arrow"
          label={acts.transfer}
          keys="Alt + Shift + R"
          run={() => dialogs.open("transfer", c)}
        />
      )}
      {permissions.mine && permissions.mayClose && (
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
      {hasCopy && (
        <BarIcon icon="copy" label={text.copy} keys="Alt + Shift + Y" run={() => copyTranscript(page, c)} />
      )}
      <MoreMenu c={c} permissions={permissions} row={row} route={route} said={hasMessages} />
    </>
  );
}

interface BarIconProps {
  readonly icon: "check" | "clock" | "arrow" | "copy";
  readonly label: string;
  readonly keys: string;
  readonly run: () => void;
}

/** An action as an icon; on a phone it is in the menu. */
function BarIcon({ icon, label, keys, run }: BarIconProps): ReactElement {
  return (
    <button className="icon-button not-phone" onClick={run} aria-label={label} title={`${label} (${keys})`}>
      <Icon name={icon} flip={icon === "arrow"} />
    </button>
  );
}

function ConversationStatus(
  { permissions, row }: { permissions: ConversationPermissions; row: InboxRow | undefined },
): ReactElement {
  const { centre } = useCentre();
  const { status, mine, theirs } = permissions;
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
