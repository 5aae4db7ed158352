// Everything that is on the page already stays one part: see later.tsx.
import { type ReactElement, useEffect, useState } from "react";
import "../app/app";
import { may } from "../../client/agent/permissions";
import { useTick } from "../app/clock";
import { useSessionState, useWorkspace } from "../app/session-context";
import { wallTexts } from "../i18n/wall-texts";
import { useSustained } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { DrillDown } from "./drill-down";
import { Totals } from "./figures";
import { People } from "./people-list";
import { Queues } from "./queue-table";
import { type Figure } from "./totals";

/** The live wall: `#/wall`; `#/wall/orders/queued` also lists the conversations behind a figure. */
export default function Wall({ path }: { path: readonly string[] }): ReactElement {
  const { identity, session } = useWorkspace();
  const { wall, link } = useSessionState();
  const sees = may(identity, "wall.read");
  useEffect(() => (sees ? session.topics.subscribe("wall") : undefined), [session, sees]);
  useEffect(() => void (document.title = `${wallTexts.title} · ${identity.account.name}`), [identity]);
  const old = useSustained(link !== "online", 2000);
  if (!sees) {
    return (
      <section className="wall-face" id="page" tabIndex={-1} aria-label={wallTexts.title}>
        <h1>{wallTexts.forbidden}</h1>
        <p>{wallTexts.forbiddenMore}</p>
        <a className="button" href="#/waiting">{wallTexts.toInbox}</a>
      </section>
    );
  }
  return (
    <section className="wall" id="page" tabIndex={-1} aria-label={wallTexts.title} data-old={old || undefined}>
      <WallHeader old={old} />
      {wall === undefined ? <WallSkeleton /> : (
        <>
          <Totals wall={wall} />
          <Queues lines={wall.skills} />
          <People people={wall.people} />
          <p className="wall-note">{wallTexts.today}</p>
        </>
      )}
      {path[0] !== undefined && path[1] !== undefined && <DrillDown of={path[0]} show={path[1] as Figure} />}
    </section>
  );
}

function WallHeader({ old }: { old: boolean }): ReactElement {
  const now = useTick();
  const [full, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const changed = (): void => setFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", changed);
    return () => document.removeEventListener("fullscreenchange", changed);
  }, []);
  const toggle = (): void =>
    void (full ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {});
  return (
    <header className="wall-head">
      <a className="only-phone" href="#/waiting" aria-label={wallTexts.toInbox}>
        <Icon name="back" flip />
      </a>
      <h1>{wallTexts.title}</h1>
      {old && (
        <span className="wall-old" role="status">
          <Icon name="warn" />
          {wallTexts.offline}
        </span>
      )}
      <time>{new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" }).format(now)}</time>
      {document.fullscreenEnabled && (
        <button type="button" className="button not-phone" aria-pressed={full} onClick={toggle}>
          {full ? wallTexts.leaveFull : wallTexts.full}
        </button>
      )}
    </header>
  );
}

function WallSkeleton(): ReactElement {
  return (
    <div className="wall-bones" role="status">
      <span className="aloud">{wallTexts.loading}</span>
      <i />
      <i />
      <i />
    </div>
  );
}
