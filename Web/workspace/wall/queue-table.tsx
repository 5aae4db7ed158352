import { type ReactElement } from "react";
import type { QueueStanding } from "../../client/agent/people";
import { useCentre } from "../app/session-context";
import { wallTexts } from "../i18n/wall-texts";
import { durationText } from "../ui/format";
import { Icon } from "../ui/icons";
import { Ticking } from "./figures";
import { csat, drillDownPath, promises, promisesKept, type QueueProblem, queueProblem } from "./totals";

export function Queues({ lines }: { lines: readonly QueueStanding[] }): ReactElement {
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
  return (
    <tr data-trouble={wrong}>
      <QueueName name={name} problem={wrong} />
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
      <ShareCell head={wallTexts.kept} percent={promisesKept(line)} part={line.kept} whole={promises(line)} />
      <ShareCell head={wallTexts.csat} percent={csat(line)} part={line.satisfied} whole={line.rated} />
    </tr>
  );
}

function QueueName({ name, problem }: { name: string; problem: QueueProblem }): ReactElement {
  return (
    <th scope="row">
      <span dir="auto">{name}</span>
      {problem !== undefined && (
        <span className="wall-badge">
          <Icon name="warn" />
          {problem === "late" ? wallTexts.late : wallTexts.alone}
        </span>
      )}
    </th>
  );
}

interface ShareProps {
  readonly head: string;
  readonly percent: number | undefined;
  readonly part: number;
  readonly whole: number;
}

/** A share in percent, with the numbers it is made of. */
function ShareCell({ head, percent, part, whole }: ShareProps): ReactElement {
  if (percent === undefined) return <Cell head={head} zero>{wallTexts.nobody}</Cell>;
  return (
    <Cell head={head} zero={false}>
      {`${percent} %`} <small>{wallTexts.csatMore({ satisfied: part, rated: whole })}</small>
    </Cell>
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

/** A figure, linked to its conversations where there are some. Narrow screens show `head` in the cell. */
function Cell({ head, href, label, zero, bad = false, children }: CellProps): ReactElement {
  return (
    <td data-head={head} data-zero={zero || undefined} data-bad={bad || undefined}>
      {bad && <Icon name="warn" />}
      {href === undefined || zero ? children : <a href={href} aria-label={label}>{children}</a>}
    </td>
  );
}
