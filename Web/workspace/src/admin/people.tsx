import { useState, type ReactElement } from "react";
import { Avatar } from "../avatar";
import { NumberInput, useProblem } from "./fields";
import { put, type Seat } from "./model";
import { useBook, usePart, useSkills } from "./shared";
import { admin } from "./words";

const text = admin.people;
/** From so many people on, one is looked for by name. */
const MANY = 12;
const SPEEDS = [75, 100, 125, 150, 175, 200, 250, 300];

/** Everybody and every skill, in one table. */
export function People(): ReactElement {
  const { state } = useBook();
  const [seats, set] = usePart("people");
  const skills = useSkills();
  const usual = (agent: string): Seat => ({ agent, skills: skills.map(([id]) => id), capacity: 3 });
  const change = (next: Seat): void => set([...seats.filter(({ agent }) => agent !== next.agent), next].sort((a, b) => (a.agent < b.agent ? -1 : 1)));
  const reset = (agent: string): void => set(seats.filter((seat) => seat.agent !== agent));
  const [find, setFind] = useState("");
  if (state.people.length === 0) return <p className="a-empty">{text.empty}</p>;
  const shown = state.people.filter(({ name }) => name.toLowerCase().includes(find.trim().toLowerCase())).sort((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      {state.people.length > MANY && <input className="input find" type="search" aria-label={text.find} placeholder={text.find} value={find} onChange={(event) => setFind(event.target.value)} />}
      <div className="table-frame" role="region" aria-label={admin.sections["people"]?.[0]} tabIndex={0}>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">{text.agent}</th>
              {skills.map(([id, name]) => <th key={id} scope="col" className="matrix-skill" dir="auto">{name}</th>)}
              <th scope="col" title={text.capacityHint}>{text.capacity}</th>
              <th scope="col">{text.listen}</th>
              <th scope="col"><span className="aloud">{admin.item.edit}</span></th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, name, role }) => (
              <Person key={id} id={id} name={name} role={role} skills={skills} seat={seats.find(({ agent }) => agent === id)} usual={usual(id)} change={change} reset={() => reset(id)} />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && <p className="a-empty">{text.nobody}</p>}
    </>
  );
}

interface PersonProps {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly skills: readonly (readonly [string, string])[];
  readonly seat: Seat | undefined;
  readonly usual: Seat;
  readonly change: (seat: Seat) => void;
  readonly reset: () => void;
}

function Person({ id, name, role, skills, seat, usual, change, reset }: PersonProps): ReactElement {
  const now = seat ?? usual;
  const problem = useProblem(`${id}.capacity`) ?? useProblem(`${id}.listenSpeed`);
  const wrongSkill = useProblem(`${id}.skills`);
  const has = (skill: string, on: boolean): void => change({ ...now, skills: skills.map(([one]) => one).filter((one) => (one === skill ? on : now.skills.includes(one))) });
  return (
    <tr data-usual={seat === undefined || undefined}>
      <th scope="row">
        <span className="person"><Avatar name={name} /><span><span dir="auto">{name}</span><small>{seat === undefined ? text.usual : now.skills.length === 0 ? text.none : text.role[role] ?? role}</small></span></span>
        {(problem ?? wrongSkill) !== undefined && <p className="bad" role="alert">{problem ?? wrongSkill}</p>}
      </th>
      {skills.map(([skill, label]) => (
        <td key={skill} className="matrix-cell">
          <label><input type="checkbox" aria-label={text.has(label, name)} checked={now.skills.includes(skill)} onChange={(event) => has(skill, event.target.checked)} /></label>
        </td>
      ))}
      <td><NumberInput of={{ "aria-label": `${text.capacity}: ${name}`, "aria-invalid": problem === undefined ? undefined : true }} value={now.capacity} set={(capacity) => change({ ...now, capacity })} /></td>
      <td>
        <select className="input" aria-label={`${text.listen}: ${name}`} value={now.listenSpeed ?? ""}
          onChange={(event) => change(put(now, "listenSpeed", event.target.value === "" ? undefined : Number(event.target.value)))}>
          <option value="">{text.normal}</option>
          {[...new Set([...SPEEDS, ...(now.listenSpeed === undefined ? [] : [now.listenSpeed])])].sort((a, b) => a - b).map((speed) => <option key={speed} value={speed}>{`${speed / 100}×`}</option>)}
        </select>
      </td>
      <td>{seat !== undefined && <button type="button" className="link" aria-label={`${text.reset}: ${name}`} onClick={reset}>{text.reset}</button>}</td>
    </tr>
  );
}
