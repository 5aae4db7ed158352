import { type ReactElement, useState } from "react";
import type { Found } from "../../client/agent/agent-api";
import { sectionOf } from "../../client/agent/inbox";
import { Avatar } from "../ui/avatar";
import { Marked } from "../ui/marked-text/marked";
import { markedParts } from "../ui/marked-text/marks";
import type { InboxRow } from "../../client/conversation/events";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { usePage } from "../app/page-context";
import { useCentre, useSessionState, useViewer } from "../app/session-context";
import { address, type Route } from "../app/route";
import { dialogTexts } from "../i18n/dialog-texts";
import { texts } from "../i18n/texts";
import { dateTimeText, shortTimeText } from "../ui/format";
import { handleRowKeys } from "./list-keys";
import { InboxRowLink } from "./row";

const text = dialogTexts.search;

const Preview = onDemand("Preview");

interface ResultsProps {
  readonly found: readonly Found[];
  /** What was searched for: it is marked. */
  readonly words: string;
  readonly route: Route;
}

/** The results as rows of the inbox; conversations that the inbox knows are as current as they are there. */
export function SearchResults({ found, words, route }: ResultsProps): ReactElement {
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
          if (words.trim() !== "") {
            return (
              <FoundRow
                key={row.c}
                row={row}
                match={match}
                words={words}
                now={now}
                current={current}
                stop={index === 0}
              />
            );
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

interface FoundProps {
  readonly row: InboxRow;
  readonly match: Found["match"];
  readonly words: string;
  readonly now: number;
  readonly current: boolean;
  readonly stop: boolean;
}

/**
 * A conversation in which words were found: in a message, in the consumer's name or in a tag. The link opens the
 * conversation at the message.
 */
function FoundRow({ row, match, words, now, current, stop }: FoundProps): ReactElement {
  const at = match?.at ?? row.at;
  return (
    <li className="row-place" data-c={row.c}>
      <a
        className="row row-found"
        href={address({ tab: "search", c: row.c, card: false, ...(match === undefined ? {} : { at: match.n }) })}
        aria-current={current ? "true" : undefined}
        tabIndex={stop ? 0 : -1}
        data-status={row.status}
      >
        <Avatar name={row.who} />
        <span className="row-main">
          <span className="row-line">
            <span className="row-who" dir="auto"><Marked text={row.who} words={words} /></span>
            <span className="row-when">
              <time className="row-time" dateTime={new Date(at).toISOString()} title={dateTimeText(at)}>
                {shortTimeText(at, now)}
              </time>
            </span>
          </span>
          <span className="row-match" dir="auto"><Snippet row={row} match={match} words={words} /></span>
          <FoundMarks row={row} words={words} />
        </span>
      </a>
    </li>
  );
}

/** What was found, or else the last message. */
function Snippet({ row, match, words }: Pick<FoundProps, "row" | "match" | "words">): ReactElement {
  if (match !== undefined) {
    return (
      <>
        {match.by !== 1 && (
          <span className="row-by">{match.by === 0 ? `${texts.notice.automatic}: ` : text.byBrand}</span>
        )}
        <Marked text={match.text} words={words} />
      </>
    );
  }
  return <>{row.last === undefined ? texts.inbox.noMessage : row.last.text ?? texts.inbox.audioMessage}</>;
}

/** Status, skill and tags; the tags that match come first. */
function FoundMarks({ row, words }: { row: InboxRow; words: string }): ReactElement {
  const { centre } = useCentre();
  const { skill: id, tags = [] } = row.routing ?? {};
  const skill = centre?.skills.find((one) => one.id === id)?.name ?? id;
  const isMatch = (tag: string): boolean => markedParts(tag, words).some(({ isMarked }) => isMarked);
  const sorted = [...tags.filter(isMatch), ...tags.filter((tag) => !isMatch(tag))];
  return (
    <span className="row-line row-foot">
      <span className="row-status">{texts.inbox.status[row.status === "new" ? "waiting" : row.status]}</span>
      {row.toName !== undefined && row.status === "open" && <span className="row-to">{row.toName}</span>}
      {skill !== undefined && <span className="mark mark-skill">{skill}</span>}
      {sorted.map((tag) => (
        <span key={tag} className="mark mark-tag" dir="auto">
          <span className="aloud">{`${text.tag}: `}</span>
          <Marked text={tag} words={words} />
        </span>
      ))}
    </span>
  );
}
