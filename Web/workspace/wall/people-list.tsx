import { type ReactElement } from "react";
import type { Standing } from "../../client/agent/people";
import { useTick } from "../app/clock";
import { useCentre, useSessionState } from "../app/session-context";
import { wallTexts } from "../i18n/wall-texts";
import { Avatar } from "../ui/avatar";
import { Icon, type IconName } from "../ui/icons";
import { callUnderWay, drillDownPath, fullness, sortedPeople, stopwatchText, timeInStateText } from "./totals";

const STATES: Readonly<Record<Standing["presence"]["state"], IconName>> = {
  online: "check",
  occupied: "lock",
  away: "clock",
  offline: "close",
};

/** The people who are online; those offline are in a collapsible list. */
export function People({ people }: { people: readonly Standing[] }): ReactElement {
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

/** Up to this number of offline people, their list is open. */
const FEW = 4;

/** People who are offline but still have open conversations are listed as if online. */
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
  const rows = useSessionState().inbox.rows.values();
  const call = [...rows].map(callUnderWay).find((one) => one?.agent === id);
  const standing = person.readOnly === true
    ? wallTexts.readOnly
    : call
    ? wallTexts.inCall({ time: stopwatchText(now - call.since) })
    : wallTexts.since({ state, time: timeInStateText(now - presence.since) });
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
          <span>{standing}</span>
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
