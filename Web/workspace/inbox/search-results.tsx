import { type ReactElement, useState } from "react";
import type { Found } from "../../client/agent/agent-api";
import { sectionOf } from "../../client/agent/inbox";
import type { InboxRow } from "../../client/conversation/events";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { usePage } from "../app/page-context";
import { useSessionState, useViewer } from "../app/session-context";
import { address, type Route } from "../app/route";
import { dialogTexts } from "../i18n/dialog-texts";
import { dateTimeText, shortTimeText } from "../ui/format";
import { handleRowKeys } from "./list-keys";
import { InboxRowLink } from "./row";

const text = dialogTexts.search;

const Preview = onDemand("Preview");

/** The results as rows of the inbox; conversations that the inbox knows are as current as they are there. */
export function SearchResults({ found, route }: { found: readonly Found[]; route: Route }): ReactElement {
  const { inbox, me } = useSessionState();
  const viewer = useViewer();
  const { preferences } = usePage();
  const [preview, setPreview] = useState<string | undefined>();
  const now = Date.now();
  return (
    <>
      <ul
        className="rows"
        aria-label={text.list}
        onKeyDown={(event) => handleRowKeys(event, preferences.get().keys, setPreview)}
      >
        {found.map(({ row: asFound, match }, index) => {
          const row = inbox.rows.get(asFound.c) ?? asFound;
          const current = row.c === route.c;
          if (match !== undefined) {
            return <MatchRow key={row.c} row={row} match={match} now={now} current={current} stop={index === 0} />;
          }
          return (
            <InboxRowLink
              key={row.c}
              row={row}
              now={now}
              me={me}
              route={route}
              current={current}
              read={false}
              draft={false}
              section={sectionOf(row, viewer.me, now)}
              preview={setPreview}
              stop={index === 0}
            />
          );
        })}
      </ul>
      {preview !== undefined && <Preview c={preview} tab="search" close={() => setPreview(undefined)} />}
    </>
  );
}

interface MatchProps {
  readonly row: InboxRow;
  readonly match: NonNullable<Found["match"]>;
  readonly now: number;
  readonly current: boolean;
  readonly stop: boolean;
}

/** A conversation with the message that matches; the link opens the conversation at that message. */
function MatchRow({ row, match, now, current, stop }: MatchProps): ReactElement {
  return (
    <li className="row-place" data-c={row.c}>
      <a
        className="row row-found"
        href={address({ tab: "search", c: row.c, card: false, at: match.n })}
        aria-current={current ? "true" : undefined}
        tabIndex={stop ? 0 : -1}
      >
        <span className="row-main">
          <span className="row-line">
            <span className="row-who" dir="auto">{row.who}</span>
            <time className="row-time" title={dateTimeText(match.at)}>{shortTimeText(match.at, now)}</time>
          </span>
          <span className="row-match" dir="auto">{match.text}</span>
        </span>
      </a>
    </li>
  );
}
