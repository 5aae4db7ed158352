// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import { type ReactElement, useEffect, useState } from "react";
import type { QueueStanding, Standing, Wall as Figures } from "../../client/agent/people";
import { Avatar } from "../ui/avatar";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { durationText } from "../ui/format";
import { useSustained } from "../ui/hooks";
import { Icon, type IconName } from "../ui/icons";
import { useTick } from "../app/clock";
import { DrillDown } from "./drill-down";
import {
  csat,
  drillDownPath,
  etaAccuracy,
  type Figure,
  fullness,
  queueProblem,
  sortedPeople,
  stopwatchText,
  timeInStateText,
  totals,
} from "./totals";
import { wallTexts } from "../i18n/wall-texts";

/** How the queues and the people stand, live: `#/wall`; with `/orders/queued` after it, also the conversations behind a number. */
export default function Wall({ path }: { path: readonly string[] }): ReactElement {
  const { identity, session } = useWorkspace();
  const { wall, link } = useSessionState();
  const manager = identity.agent.role === "manager";
  useEffect(() => (manager ? session.interest.want("wall") : undefined), [session, manager]);
  useEffect(() => void (document.title = `${wallTexts.title} · ${identity.account.name}`), [identity]);
  const old = useSustained(link !== "online", 2000);
  if (!manager) {
    return (
      <section className="wall-face" id="page" tabIndex={-1} aria-label={wallTexts.title}>
        <h1>{wallTexts.forbidden}</h1>
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
      <time>{new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" }).format(now)}</time>
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

/** All queues together, large enough to be read from across a room. */
function Totals({ wall }: { wall: Figures }): ReactElement {
  const all = totals(wall);
  const share = csat(all);
  const inTime = etaAccuracy(all);
  const load = fullness(all.load, all.capacity);
  return (
    <dl className="wall-totals">
      <Total name={wallTexts.queued} href={drillDownPath("queued", undefined)}>{all.queued}</Total>
      <Total name={wallTexts.oldest} href={drillDownPath("queued", undefined)}>
        {all.oldest === undefined ? wallTexts.nobody : <Ticking since={all.oldest} />}
      </Total>
      <Total name={wallTexts.unplayed} href={drillDownPath("unplayed", undefined)}>
        {all.unplayed === 0 ? wallTexts.nobody : durationText(all.unplayed)}
      </Total>
      <Total name={wallTexts.assigned} href={drillDownPath("assigned", undefined)}>{all.assigned}</Total>
      <Total name={wallTexts.overdue} href={drillDownPath("overdue", undefined)} bad={all.overdue > 0}>
        {all.overdue}
      </Total>
      <Total name={wallTexts.load}>{`${load} %`}</Total>
      <Total name={wallTexts.online}>{all.online}</Total>
      <Total name={wallTexts.closed} href={drillDownPath("closed", undefined)}>{all.closed}</Total>
      <Total
        name={wallTexts.kept}
        more={inTime === undefined
          ? wallTexts.nobodyPromised
          : wallTexts.csatMore({ satisfied: all.kept, rated: all.answered })}
      >
        {inTime === undefined ? wallTexts.nobody : `${inTime} %`}
      </Total>
      <Total
        name={wallTexts.csat}
        more={share === undefined
          ? wallTexts.nobodyRated
          : wallTexts.csatMore({ satisfied: all.satisfied, rated: all.rated })}
      >
        {share === undefined ? wallTexts.nobody : `${share} %`}
      </Total>
    </dl>
  );
}

interface TotalProps {
  readonly name: string;
  readonly href?: string;
  readonly bad?: boolean;
  readonly more?: string;
  readonly children: React.ReactNode;
}

function Total({ name, href, bad = false, more, children }: TotalProps): ReactElement {
  const value = <>{bad && <Icon name="warn" />}{children}</>;
  return (
    <div className="wall-total" data-bad={bad || undefined}>
      <dt>{name}</dt>
      <dd>{href === undefined ? value : <a href={href}>{value}</a>}{more !== undefined && <small>{more}</small>}</dd>
    </div>
  );
}

function Ticking({ since }: { since: number }): ReactElement {
  return <span className="wall-ticks">{stopwatchText(useTick() - since)}</span>;
}

function Queues({ lines }: { lines: readonly QueueStanding[] }): ReactElement {
  const { centre } = useCentre();
  const nameOf = (id: string): string => centre?.skills.find((skill) => skill.id === id)?.name ?? id;
  const heads = [
    wallTexts.skill,
    wallTexts.queued,
    wallTexts.oldest,
    wallTexts.unplayed,
    wallTexts.assigned,
    wallTexts.overdue,
    wallTexts.online,
    wallTexts.closed,
    wallTexts.kept,
    wallTexts.csat,
  ];
  if (lines.length === 0) return <p className="wall-empty">{wallTexts.noSkills}</p>;
  return (
    <table className="wall-queues" aria-label={wallTexts.queues}>
      <thead>
        <tr>{heads.map((head) => <th key={head} scope="col">{head}</th>)}</tr>
      </thead>
      <tbody>{lines.map((line) => <Queue key={line.skill} line={line} name={nameOf(line.skill)} />)}</tbody>
    </table>
  );
}

function Queue({ line, name }: { line: QueueStanding; name: string }): ReactElement {
  const { skill, queued, oldest, unplayed, assigned, overdue, online, closed } = line;
  const wrong = queueProblem(line);
  const [share, inTime] = [csat(line), etaAccuracy(line)];
  return (
    <tr data-trouble={wrong}>
      <th scope="row">
        <span dir="auto">{name}</span>
        {wrong !== undefined && (
          <span className="wall-badge">
            <Icon name="warn" />
            {wrong === "late" ? wallTexts.late : wallTexts.alone}
          </span>
        )}
      </th>
      <Cell
        head={wallTexts.queued}
        href={drillDownPath("queued", skill)}
        label={wallTexts.show.queued({ count: queued, skill: name })}
        zero={queued === 0}
      >
        {queued}
      </Cell>
      <Cell head={wallTexts.oldest} zero={oldest === undefined}>
        {oldest === undefined ? wallTexts.nobody : <Ticking since={oldest} />}
      </Cell>
      <Cell
        head={wallTexts.unplayed}
        href={drillDownPath("unplayed", skill)}
        label={wallTexts.show.unplayed({ time: durationText(unplayed), skill: name })}
        zero={unplayed === 0}
      >
        {unplayed === 0 ? wallTexts.nobody : durationText(unplayed)}
      </Cell>
      <Cell
        head={wallTexts.assigned}
        href={drillDownPath("assigned", skill)}
        label={wallTexts.show.assigned({ count: assigned, skill: name })}
        zero={assigned === 0}
      >
        {assigned}
      </Cell>
      <Cell
        head={wallTexts.overdue}
        href={drillDownPath("overdue", skill)}
        label={wallTexts.show.overdue({ count: overdue, skill: name })}
        zero={overdue === 0}
        bad={overdue > 0}
      >
        {overdue}
      </Cell>
      <Cell head={wallTexts.online} zero={online === 0} bad={wrong === "alone"}>{online}</Cell>
      <Cell
        head={wallTexts.closed}
        href={drillDownPath("closed", skill)}
        label={wallTexts.show.closed({ count: closed, skill: name })}
        zero={closed === 0}
      >
        {closed}
      </Cell>
      <Cell head={wallTexts.kept} zero={inTime === undefined}>
        {inTime === undefined ? wallTexts.nobody : (
          <>
            {`${inTime} %`} <small>{wallTexts.csatMore({ satisfied: line.kept, rated: line.answered })}</small>
          </>
        )}
      </Cell>
      <Cell head={wallTexts.csat} zero={share === undefined}>
        {share === undefined ? wallTexts.nobody : (
          <>
            {`${share} %`} <small>{wallTexts.csatMore({ satisfied: line.satisfied, rated: line.rated })}</small>
          </>
        )}
      </Cell>
    </tr>
  );
}

interface CellProps {
  readonly head: string;
  readonly href?: string;
  readonly label?: string;
  readonly zero: boolean;
  readonly bad?: boolean;
  readonly children: React.ReactNode;
}

/** A figure; where conversations are behind it, the way to them. `head` is shown where the table has no room for its head. */
function Cell({ head, href, label, zero, bad = false, children }: CellProps): ReactElement {
  return (
    <td data-head={head} data-zero={zero || undefined} data-bad={bad || undefined}>
      {bad && <Icon name="warn" />}
      {href === undefined || zero ? children : <a href={href} aria-label={label}>{children}</a>}
    </td>
  );
}

const STATES: Readonly<Record<Standing["presence"]["state"], IconName>> = {
  online: "check",
  occupied: "lock",
  away: "clock",
  offline: "close",
};

/** Who is here; who is not stands behind a word, for of a large team most are. */
function People({ people }: { people: readonly Standing[] }): ReactElement {
  if (people.length === 0) return <p className="wall-empty">{wallTexts.noPeople}</p>;
  const sorted = sortedPeople(people);
  const [here, gone] = [sorted.filter(isHere), sorted.filter((person) => !isHere(person))];
  return (
    <>
      {here.length === 0
        ? <p className="wall-empty">{wallTexts.nobodyHere}</p>
        : <PersonList people={here} label={wallTexts.people} />}
      {gone.length > 0 && (
        <details className="wall-gone" open={gone.length <= FEW}>
          <summary>{wallTexts.gone({ count: gone.length })}</summary>
          <PersonList people={gone} label={wallTexts.states.offline} />
        </details>
      )}
    </>
  );
}

/** So many who are offline take no room from those who work. */
const FEW = 4;
/** Somebody who is offline and still answers is somebody's trouble. */
const isHere = ({ presence, open }: Standing): boolean => presence.state !== "offline" || open > 0;

function PersonList({ people, label }: { people: readonly Standing[]; label: string }): ReactElement {
  return (
    <ul className="wall-people" aria-label={label}>
      {people.map((person) => <Person key={person.id} person={person} />)}
    </ul>
  );
}

function Person({ person }: { person: Standing }): ReactElement {
  const now = useTick();
  const { centre } = useCentre();
  const { id, name, presence, load, capacity, open, skills } = person;
  const state = presence.reason === undefined
    ? wallTexts.states[presence.state]
    : `${wallTexts.states[presence.state]}: ${presence.reason}`;
  const full = fullness(load, capacity * 1000);
  const [shown, most] = [load / 1000, capacity].map((value) =>
    new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 }).format(value)
  ) as [string, string];
  const skillNames = skills.map((one) => centre?.skills.find((skill) => skill.id === one)?.name ?? one).join(", ") ||
    wallTexts.noSkill;
  return (
    <li className="wall-person" data-state={presence.state}>
      <Avatar name={name} />
      <div className="wall-who">
        <strong dir="auto">{name}</strong>
        <span className="wall-state" title={skillNames}>
          <Icon name={STATES[presence.state]} />
          <span>{state}</span>
          <time>{timeInStateText(now - presence.since)}</time>
        </span>
      </div>
      <a
        className="wall-open"
        href={drillDownPath("agent", id)}
        aria-label={`${wallTexts.show.agent({ name })}: ${
          open === 0 ? wallTexts.none : wallTexts.open({ count: open })
        }`}
      >
        {open}
      </a>
      <span
        className="wall-load"
        data-full={full >= 100 || undefined}
        role="img"
        aria-label={`${wallTexts.load}: ${wallTexts.loadOf({ load: shown, capacity: most })}`}
      >
        <span className="wall-bar">
          <i style={{ inlineSize: `${Math.min(100, full)}%` }} />
        </span>
        <span aria-hidden="true">{`${shown} / ${most}`}{full >= 100 ? ` · ${wallTexts.full_}` : ""}</span>
      </span>
    </li>
  );
}
