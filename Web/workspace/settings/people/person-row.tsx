import { type ReactElement } from "react";
import { may } from "../../../client/agent/permissions";
import { useWorkspace } from "../../app/session-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { Avatar } from "../../ui/avatar";
import { useProblem } from "../fields";
import { NumberInput } from "../number-fields";
import { put, type Seat } from "../settings-model";
import { isOff, type Person, type PersonPatch } from "./person";
import { isRoutedWithoutSeat } from "./routed";

const text = settingsTexts.people;
const SPEEDS = [75, 100, 125, 150, 175, 200, 250, 300];

/** The last change of a person: its text, and the patch that undoes it. */
export interface Done {
  readonly id: string;
  readonly text: string;
  readonly back?: PersonPatch;
}

export const editId = (id: string): string => `edit-${id}`;

interface RowProps {
  readonly person: Person;
  readonly skills: readonly (readonly [string, string])[];
  readonly seat: Seat | undefined;
  readonly usual: Seat;
  /** The name of the profile that the brand gave the person. */
  readonly profile: string | undefined;
  /** The person's profile does not let them answer. */
  readonly readOnly: boolean;
  readonly change: (seat: Seat) => void;
  readonly reset: () => void;
  readonly edit: () => void;
  readonly done: Done | undefined;
  readonly undo: () => void;
}

/** A person with their skills, capacity and listening speed, which only people with the permission see and change. */
export function Row(props: RowProps): ReactElement {
  const { person, seat, usual } = props;
  const { identity } = useWorkspace();
  const capacity = useProblem(`${person.id}.capacity`) ?? useProblem(`${person.id}.listenSpeed`);
  const wrongSkill = useProblem(`${person.id}.skills`);
  return (
    <tr data-usual={seat === undefined || undefined} data-off={isOff(person) || undefined}>
      <PersonCell {...props} now={seat ?? usual} problem={capacity ?? wrongSkill} />
      {may(identity, "seats.change") && <SeatCells {...props} isWrong={capacity !== undefined} />}
    </tr>
  );
}

function SeatCells(
  { person: { name }, skills, seat, usual, change, reset, isWrong }: RowProps & { readonly isWrong: boolean },
): ReactElement {
  const now = seat ?? usual;
  const has = (skill: string, on: boolean): void =>
    change({
      ...now,
      skills: skills.map(([one]) => one).filter((one) => (one === skill ? on : now.skills.includes(one))),
    });
  return (
    <>
      {skills.map(([skill, label]) => (
        <td key={skill} className="matrix-cell" data-label={label}>
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
      <td data-label={text.capacity}>
        <NumberInput
          of={{ "aria-label": `${text.capacity}: ${name}`, "aria-invalid": isWrong ? true : undefined }}
          value={now.capacity}
          set={(capacity) => change({ ...now, capacity })}
        />
      </td>
      <td data-label={text.listen}>
        <ListenSpeed name={name} seat={now} change={change} />
      </td>
      <td>
        {seat !== undefined && (
          <button type="button" className="link" aria-label={`${text.reset}: ${name}`} onClick={reset}>
            {text.reset}
          </button>
        )}
      </td>
    </>
  );
}

type PersonCellProps = RowProps & { readonly now: Seat; readonly problem: string | undefined };

/** Who the person is, with the button to edit them and the result of their last change. */
function PersonCell(props: PersonCellProps): ReactElement {
  const { person, seat, now, profile, readOnly, edit, done, undo, problem } = props;
  const { identity } = useWorkspace();
  const { id, name } = person;
  const builtIn = text.role[person.role] ?? person.role;
  const role = profile ?? (person.profile === undefined ? builtIn : text.ownProfile);
  return (
    <th scope="row">
      <span className="colleague">
        <Avatar name={name} />
        <span className="person-who">
          <span dir="auto">{name}</span>
          <small>{id === identity.agent.id ? text.you({ role }) : role}</small>
          <Routed person={person} seat={seat} now={now} readOnly={readOnly} />
          {person.invited && (
            <span className="a-badge">{person.linkEnds === undefined ? text.linkEnded : text.invited}</span>
          )}
          {isOff(person) && <span className="a-badge a-badge-bad">{text.off}</span>}
        </span>
        {may(identity, "people.change") && (
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
      {problem !== undefined && <p className="bad" role="alert">{problem}</p>}
    </th>
  );
}

/** What the person gets of routing, where the skills in their row do not say it. */
function Routed(
  { person, seat, now, readOnly }: Pick<PersonCellProps, "person" | "seat" | "now" | "readOnly">,
): ReactElement | null {
  if (readOnly) return <small>{text.readOnly}</small>;
  if (seat === undefined) return <small>{isRoutedWithoutSeat(person) ? text.usual : text.unrouted}</small>;
  return now.skills.length === 0 ? <small>{text.none}</small> : null;
}

interface SpeedProps {
  readonly name: string;
  readonly seat: Seat;
  readonly change: (seat: Seat) => void;
}

function ListenSpeed({ name, seat: now, change }: SpeedProps): ReactElement {
  return (
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
  );
}

function Pencil(): ReactElement {
  return (
    <svg viewBox="0 0 20 20" className="glyph" aria-hidden="true">
      <path d="M4 16v-2.5l8.5-8.5 2.5 2.5L6.5 16H4ZM11 6.5l2.5 2.5" />
    </svg>
  );
}
