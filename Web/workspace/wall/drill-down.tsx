import { type ReactElement, useEffect, useMemo, useRef } from "react";
import { sectionOf } from "../../client/agent/inbox";
import { useCentre, useSessionState } from "../app/session-context";
import { useNow } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { goTo, type Route } from "../app/route";
import { InboxRowLink } from "../inbox/row";
import { conversationsBehind, type Figure, FIGURES } from "./totals";
import { wallTexts } from "../i18n/wall-texts";

const ROUTE: Route = { page: "inbox", path: [], tab: "all", c: undefined, card: false };

/** The conversations behind a figure, updated with it. */
export function DrillDown({ of, show }: { of: string; show: Figure }): ReactElement | null {
  const { inbox, me } = useSessionState();
  const { centre, agents } = useCentre();
  const now = useNow();
  const box = useRef<HTMLElement>(null);
  const rows = useMemo(() => conversationsBehind([...inbox.rows.values()], of, show, now), [inbox, of, show, now]);
  useEffect(() => void box.current?.focus(), [of, show]);
  if (!FIGURES.includes(show)) return null;
  const name = show === "agent"
    ? agents.find(({ id }) => id === of)?.name ?? ""
    : of === "all"
    ? wallTexts.all
    : centre?.skills.find(({ id }) => id === of)?.name ?? of;
  const close = (): void => goTo("#/wall");
  return (
    <aside
      className="wall-behind"
      aria-label={wallTexts.list({ what: wallTexts.shows[show], of: name })}
      tabIndex={-1}
      ref={box}
      onKeyDown={(event) => event.key === "Escape" && close()}
    >
      <header className="bar">
        <h2>
          <span>{wallTexts.shows[show]}</span> <span dir="auto">{name}</span>
        </h2>
        <a className="icon-button" href="#/wall" aria-label={wallTexts.close}>
          <Icon name="close" />
        </a>
      </header>
      {rows.length === 0 ? <p className="wall-empty">{wallTexts.nothing}</p> : (
        <ul className="rows">
          {rows.map((row) => (
            <InboxRowLink
              key={row.c}
              row={row}
              now={now}
              me={me}
              route={ROUTE}
              section={sectionOf(row, me, now)}
              current={false}
              read={false}
              stop
              draft={false}
              preview={(c) => goTo(`#/all/${c}`)}
            />
          ))}
        </ul>
      )}
      {show === "closed" && <p className="wall-note">{wallTexts.onlyLast}</p>}
    </aside>
  );
}
