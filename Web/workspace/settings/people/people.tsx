import { type ReactElement, useEffect, useState } from "react";
import { Avatar } from "../../ui/avatar";
import { useWorkspace } from "../../app/session-context";
import { useAnnounce, useToast } from "../../app/page-context";
import { NumberInput, useProblem } from "../fields";
import { put, type Seat } from "../settings-model";
import { inversePatch, isOff, type Person, type PersonPatch } from "./person";
import { PersonForm } from "./person-form";
import { useSection, useSettings, useSkills } from "../settings-context";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.people;
/** From so many people on, one is looked for by name. */
const MANY = 12;
const SPEEDS = [75, 100, 125, 150, 175, 200, 250, 300];

/** Everybody and every skill, in one table; from each row the way to the person. */
export function People(): ReactElement {
  const { editor, state } = useSettings();
  const [seats, set] = useSection("people");
  const skills = useSkills();
  const usual = (agent: string): Seat => ({ agent, skills: skills.map(([id]) => id), capacity: 3 });
  const change = (next: Seat): void =>
    set([...seats.filter(({ agent }) => agent !== next.agent), next].sort((a, b) => (a.agent < b.agent ? -1 : 1)));
  const reset = (agent: string): void => set(seats.filter((seat) => seat.agent !== agent));
  const [find, setFind] = useState("");
  const [edited, setEdited] = useState<Person | undefined>();
  const [done, changed, undo] = useUndo();
  useEffect(() => void editor.reloadPeople(), [editor]);
  if (state.people.length === 0) return <p className="a-empty">{text.empty}</p>;
  const shown = state.people.filter(({ name }) => name.toLowerCase().includes(find.trim().toLowerCase())).sort((a, b) =>
    a.name.localeCompare(b.name)
  );
  return (
    <>
      {state.people.length > MANY && (
        <input
          className="input find"
          type="search"
          aria-label={text.find}
          placeholder={text.find}
          value={find}
          onChange={(event) => setFind(event.target.value)}
        />
      )}
      <div className="table-frame" role="region" aria-label={settingsTexts.sections["people"]?.[0]} tabIndex={0}>
        <table className="matrix">
          <thead>
            <tr>
              <th scope="col">{text.agent}</th>
              {skills.map(([id, name]) => <th key={id} scope="col" className="matrix-skill" dir="auto">{name}</th>)}
              <th scope="col" title={text.capacityHint}>{text.capacity}</th>
              <th scope="col">{text.listen}</th>
              <th scope="col">
                <span className="aloud">{settingsTexts.item.edit}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((person) => (
              <Row
                key={person.id}
                person={person}
                skills={skills}
                seat={seats.find(({ agent }) => agent === person.id)}
                usual={usual(person.id)}
                change={change}
                reset={() => reset(person.id)}
                edit={() => setEdited(person)}
                done={done?.id === person.id ? done : undefined}
                undo={undo}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && <p className="a-empty">{text.nobody}</p>}
      {edited !== undefined && (
        <PersonForm
          person={edited}
          close={() => setEdited(undefined)}
          changed={(patch) => {
            setEdited(undefined);
            changed(edited, patch);
          }}
        />
      )}
    </>
  );
}

/** The newest change of a person, what is told of it, and the way back. */
interface Done {
  readonly id: string;
  readonly text: string;
  readonly back?: PersonPatch;
}

function useUndo(): [Done | undefined, (person: Person, patch: PersonPatch) => void, () => void] {
  const { editor, state } = useSettings();
  const { centre } = useWorkspace();
  const announce = useAnnounce();
  const toast = useToast();
  const [done, setDone] = useState<Done | undefined>();
  const tell = (name: string, next: Done): void => {
    setDone(next);
    announce(`${name}: ${next.text}`);
    void centre.refresh(Infinity);
  };
  const changed = (person: Person, patch: PersonPatch): void => {
    const outcome = patch.disabled === undefined ? text.done.changed : patch.disabled ? text.done.off : text.done.on;
    tell(patch.name ?? person.name, { id: person.id, text: outcome, back: inversePatch(person, patch) });
  };
  const undo = (): void => {
    if (done?.back === undefined) return;
    void editor.changePerson(done.id, done.back).then((refused) => {
      if (refused !== undefined) {
        return toast(settingsTexts.person.refused[refused] ?? settingsTexts.person.other, true);
      }
      tell(done.back?.name ?? state.people.find(({ id }) => id === done.id)?.name ?? "", {
        id: done.id,
        text: text.done.back,
      });
    });
  };
  // The row may stand elsewhere now, and the button that was pressed may be gone: nobody is left nowhere.
  useEffect(() => {
    if (done !== undefined && document.activeElement === document.body) {
      document.getElementById(editId(done.id))?.focus();
    }
  }, [done]);
  return [done, changed, undo];
}

const editId = (id: string): string => `edit-${id}`;

interface RowProps {
  readonly person: Person;
  readonly skills: readonly (readonly [string, string])[];
  readonly seat: Seat | undefined;
  readonly usual: Seat;
  readonly change: (seat: Seat) => void;
  readonly reset: () => void;
  readonly edit: () => void;
  readonly done: Done | undefined;
  readonly undo: () => void;
}

function Row({ person, skills, seat, usual, change, reset, edit, done, undo }: RowProps): ReactElement {
  const { identity } = useWorkspace();
  const { id, name } = person;
  const role = text.role[person.role] ?? person.role;
  const now = seat ?? usual;
  const problem = useProblem(`${id}.capacity`) ?? useProblem(`${id}.listenSpeed`);
  const wrongSkill = useProblem(`${id}.skills`);
  const has = (skill: string, on: boolean): void =>
    change({
      ...now,
      skills: skills.map(([one]) => one).filter((one) => (one === skill ? on : now.skills.includes(one))),
    });
  return (
    <tr data-usual={seat === undefined || undefined} data-off={isOff(person) || undefined}>
      <th scope="row">
        <span className="person">
          <Avatar name={name} />
          <span className="person-who">
            <span dir="auto">{name}</span>
            <small>{id === identity.agent.id ? text.you({ role }) : role}</small>
            {(seat === undefined || now.skills.length === 0) && (
              <small>{seat === undefined ? text.usual : text.none}</small>
            )}
            {isOff(person) && <span className="a-badge a-badge-bad">{text.off}</span>}
          </span>
          {identity.agent.permissions.includes("people.change") && (
            <button
              type="button"
              className="icon-button"
              id={editId(id)}
              aria-label={text.edit({ name })}
              title={text.edit({ name })}
              onClick={edit}
            >
              <Pencil />
            </button>
          )}
        </span>
        {done !== undefined && (
          <span className="person-done">
            {done.text}
            {done.back !== undefined && (
              <button type="button" className="link" aria-label={text.undoFor({ name })} onClick={undo}>
                {text.undo}
              </button>
            )}
          </span>
        )}
        {(problem ?? wrongSkill) !== undefined && <p className="bad" role="alert">{problem ?? wrongSkill}</p>}
      </th>
      {skills.map(([skill, label]) => (
        <td key={skill} className="matrix-cell">
          <label>
            <input
              type="checkbox"
              aria-label={text.has({ skill: label, name })}
              checked={now.skills.includes(skill)}
              onChange={(event) => has(skill, event.target.checked)}
            />
          </label>
        </td>
      ))}
      <td>
        <NumberInput
          of={{ "aria-label": `${text.capacity}: ${name}`, "aria-invalid": problem === undefined ? undefined : true }}
          value={now.capacity}
          set={(capacity) => change({ ...now, capacity })}
        />
      </td>
      <td>
        <select
          className="input"
          aria-label={`${text.listen}: ${name}`}
          value={now.listenSpeed ?? ""}
          onChange={(event) =>
            change(put(now, "listenSpeed", event.target.value === "" ? undefined : Number(event.target.value)))}
        >
          <option value="">{text.normal}</option>
          {[...new Set([...SPEEDS, ...(now.listenSpeed === undefined ? [] : [now.listenSpeed])])].sort((a, b) => a - b)
            .map((speed) => <option key={speed} value={speed}>{`${speed / 100}×`}</option>)}
        </select>
      </td>
      <td>
        {seat !== undefined && (
          <button type="button" className="link" aria-label={`${text.reset}: ${name}`} onClick={reset}>
            {text.reset}
          </button>
        )}
      </td>
    </tr>
  );
}

function Pencil(): ReactElement {
  return (
    <svg viewBox="0 0 20 20" className="glyph" aria-hidden="true">
      <path d="M4 16v-2.500l8.500-8.500 2.500 2.500L6.500 16H4ZM11 6.500l2.500 2.500" />
    </svg>
  );
}
