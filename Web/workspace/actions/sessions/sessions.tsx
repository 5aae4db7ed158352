import { type ReactElement, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { OwnSession } from "../../../client/agent/access";
import { request } from "../../app/agent-session";
import { useToast } from "../../app/page-context";
import { useWorkspace } from "../../app/session-context";
import { dialogTexts } from "../../i18n/dialog-texts";
import { CloseButton, Dialog } from "../../ui/dialog";
import { OwnSessions } from "./own-sessions";

const text = dialogTexts.sessions;

/** Lists the browsers in which the person is signed in, and signs out of them. */
export default function SessionsDialog({ close }: { close: () => void }): ReactElement {
  const { csrf } = useWorkspace();
  const [own] = useState(() => new OwnSessions(request, csrf));
  const { sessions, problem, ending } = useSyncExternalStore(own.store.subscribe, own.store.get);
  const toast = useToast();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => void own.load(), [own]);
  const end = async (ids: readonly string[]): Promise<void> => {
    const ended = await own.end(ids);
    if (ended > 0) toast(text.ended({ count: ended }));
    // The pressed button is gone with its session: the focus stays in the list.
    list.current?.focus();
  };
  const others = sessions?.filter(({ current }) => !current) ?? [];
  return (
    <Dialog label={text.title} className="sessions" close={close}>
      <header className="bar">
        <h2>{text.title}</h2>
        <CloseButton close={close} />
      </header>
      <p className="lead">{text.lead}</p>
      {sessions === undefined && problem === undefined && <p className="lead" role="status">{text.loading}</p>}
      {problem !== undefined && (
        <p className="problem" role="alert">
          {text[problem]} <button className="link" onClick={() => void own.load()}>{text.again}</button>
        </p>
      )}
      <ul ref={list} className="session-list" tabIndex={-1} aria-label={text.title}>
        {sessions?.map((one) => (
          <SessionItem key={one.id} session={one} busy={ending.size > 0} end={() => void end([one.id])} />
        ))}
      </ul>
      {sessions !== undefined && others.length === 0 && <p className="lead">{text.alone}</p>}
      {others.length > 0 && (
        <EndOthers count={others.length} busy={ending.size > 0} end={() => void end(others.map(({ id }) => id))} />
      )}
    </Dialog>
  );
}

interface ItemProps {
  readonly session: OwnSession;
  readonly busy: boolean;
  readonly end: () => void;
}

function SessionItem({ session: { device, since, used, expires, current }, busy, end }: ItemProps): ReactElement {
  const name = device ?? text.unknown;
  return (
    <li className="session">
      <span className="session-what">
        <strong>{name}</strong>
        {current && <span className="chip">{text.current}</span>}
        <span className="hint">
          {since !== undefined && <span>{text.since({ time: momentText(since) })}</span>}
          {used !== undefined && <span>{text.used({ time: momentText(used) })}</span>}
          <span>{text.until({ time: momentText(expires) })}</span>
        </span>
      </span>
      {!current && (
        <button
          className="button"
          disabled={busy}
          onClick={end}
          aria-label={text.endOne({ device: name, time: momentText(since ?? expires) })}
        >
          {text.end}
        </button>
      )}
    </li>
  );
}

function momentText(at: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(at);
}

/** Ends all other sessions, after a confirmation in the same place. */
function EndOthers({ count, busy, end }: { count: number; busy: boolean; end: () => void }): ReactElement {
  const [asks, setAsks] = useState<boolean | undefined>();
  if (!asks) {
    return (
      <footer className="dialog-foot">
        <button className="button" autoFocus={asks === false} disabled={busy} onClick={() => setAsks(true)}>
          {text.endOthers}
        </button>
      </footer>
    );
  }
  return (
    <footer className="dialog-foot dialog-asks" role="group" aria-label={text.endOthers}>
      <p>{text.sure({ count })}</p>
      <button className="button" autoFocus disabled={busy} onClick={() => setAsks(false)}>{dialogTexts.cancel}</button>
      <button className="button button-danger" disabled={busy} onClick={end}>{text.endOthersNow({ count })}</button>
    </footer>
  );
}
