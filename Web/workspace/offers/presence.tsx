import type { ReactElement } from "react";
import { may } from "../../client/agent/permissions";
import type { Presence, Standing } from "../../client/agent/people";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { useAnnounce } from "../app/page-context";
import { useDialogState } from "../actions/dialog-state";
import { useFirstSteps } from "../first-steps/use-first-steps";
import { Popover } from "../ui/popover";
import { texts } from "../i18n/texts";

const text = texts.presence;

/** A function that sets the person's presence and announces the result. */
export function useSetPresence(): (state: Presence, reason?: string) => void {
  const { session } = useWorkspace();
  const announce = useAnnounce();
  return (state, reason) =>
    announce(session.present(state, reason) ? text.changed({ state: reason ?? text.states[state] }) : text.failed);
}

/** The presence and workload of a person who may answer; opens the menu to change it. */
export function PresenceButton(): ReactElement | null {
  const { standing } = useSessionState();
  const { centre } = useCentre();
  const present = useSetPresence();
  const { identity, ui: { dialogs: { showPresence: setOpen } } } = useWorkspace();
  const { presenceMenu: open } = useDialogState();
  if (standing === undefined || !may(identity, "conversations.answer")) return null;
  const { state, reason } = standing.presence;
  const choose = (next: Presence, why?: string): void => {
    present(next, why);
    setOpen(false);
    document.getElementById("presence")?.focus();
  };
  const option = (next: Exclude<Presence, "offline">, label: string, why?: string): ReactElement => (
    <button
      key={label}
      className="menu-item"
      aria-pressed={state === next && reason === why}
      onClick={() => choose(next, why)}
    >
      <span className="presence-dot" data-state={next} />
      <span>{label}{why === undefined && <small>{text.hints[next]}</small>}</span>
      {state === next && reason === why && <Icon name="check" />}
    </button>
  );
  return (
    <Popover
      open={open}
      setOpen={setOpen}
      id="presence"
      className="presence"
      label={text.open({ state: reason ?? text.states[state], load: loadText(standing) })}
      title={`${reason ?? text.states[state]} (Alt + Shift + S)`}
      button={
        <>
          <span className="presence-dot" data-state={state} />
          <span className="presence-state">{reason ?? text.states[state]}</span>
          <Meter standing={standing} />
        </>
      }
    >
      <p className="menu-who">
        <strong>{text.title}</strong>
        <span>{`${text.loadTitle}: ${loadText(standing)}`}</span>
      </p>
      {option("online", text.states.online)}
      {option("occupied", text.states.occupied)}
      {option("away", text.states.away)}
      {(centre?.awayReasons ?? []).map((why) => option("away", why, why))}
    </Popover>
  );
}

function loadText({ load: now, capacity }: Standing): string {
  return text.load({
    load: (now / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 }),
    capacity: String(capacity),
  });
}

/** How much of the person's capacity is used. */
export function Meter({ standing }: { standing: Standing }): ReactElement {
  const part = standing.capacity > 0 ? standing.load / 1000 / standing.capacity : 1;
  return (
    <svg className="meter" data-full={part >= 1 || undefined} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <circle cx="10" cy="10" r="7" pathLength="100" />
      <circle
        className="meter-on"
        cx="10"
        cy="10"
        r="7"
        pathLength="100"
        strokeDasharray={`${Math.min(1, part) * 100} 100`}
      />
    </svg>
  );
}

/**
 * Reminds people who answer that they get nothing while they are away. Who may take over chooses conversations, and is
 * reminded only while someone waits. The first steps of an empty brand say it themselves.
 */
export function PresenceBanner(): ReactElement | null {
  const { standing, link, inbox } = useSessionState();
  const { identity } = useWorkspace();
  const present = useSetPresence();
  const steps = useFirstSteps();
  if (
    steps || standing === undefined || !may(identity, "conversations.answer") ||
    (standing.presence.state !== "away" && standing.presence.state !== "offline") ||
    (may(identity, "conversations.takeOver") && ![...inbox.rows.values()].some(({ status }) => status === "waiting"))
  ) return null;
  const { reason, since } = standing.presence;
  return (
    <div className="away" role="status">
      <span>{reason === undefined ? text.nobody : text.away({ reason, time: timeText(since) })}</span>
      <button className="button button-main" disabled={link !== "online"} onClick={() => present("online")}>
        {text.goOnline}
      </button>
    </div>
  );
}
