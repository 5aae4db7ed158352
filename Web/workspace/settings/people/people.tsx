import { type ReactElement, type ReactNode, useEffect, useState } from "react";
import { may } from "../../../client/agent/permissions";
import { useAnnounce, useToast } from "../../app/page-context";
import { useWorkspace } from "../../app/session-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { useProfileNames, useReadOnlyPeople, useSection, useSettings, useSkills } from "../settings-context";
import { type Seat } from "../settings-model";
import { inversePatch, type Person, type PersonPatch } from "./person";
import { isRoutedWithoutSeat } from "./routed";
import { InviteForm } from "./invite-form";
import { PersonForm } from "./person-form";
import { SecondFactorRule } from "./second-factor";
import { SessionRule } from "./session-rule";
import { type Done, editId, Row } from "./person-row";

const text = settingsTexts.people;

/** Show a search field from this number of people on. */
const MANY = 12;

/** A table of all people and skills; each row has a button to edit the person. */
export function People(): ReactElement {
  const { editor, state } = useSettings();
  const [seats, set] = useSection("people");
  const skills = useSkills();
  const readOnly = useReadOnlyPeople();
  const profileName = useProfileNames();
  const change = (next: Seat): void =>
    set([...seats.filter(({ agent }) => agent !== next.agent), next].sort((a, b) => (a.agent < b.agent ? -1 : 1)));
  const reset = (agent: string): void => set(seats.filter((seat) => seat.agent !== agent));
  const [find, setFind] = useState("");
  const [edited, setEdited] = useState<Person | undefined>();
  const [done, changed, undo] = useUndo();
  const { identity } = useWorkspace();
  useEffect(() => void editor.reloadPeople(), [editor]);
  if (state.people.length === 0) return <p className="a-empty">{text.empty}</p>;
  const shown = state.people.filter(({ name }) => name.toLowerCase().includes(find.trim().toLowerCase())).sort((a, b) =>
    a.name.localeCompare(b.name)
  );
  return (
    <>
      <PeopleHead>{state.people.length > MANY && <PeopleSearch find={find} setFind={setFind} />}</PeopleHead>
      <div className="table-frame" role="region" aria-label={settingsTexts.sections["people"]?.[0]} tabIndex={0}>
        <table className="matrix">
          <TableHead skills={skills} changesSeats={may(identity, "seats.change")} />
          <tbody>
            {shown.map((person) => (
              <Row
                key={person.id}
                person={person}
                skills={skills}
                seat={seats.find(({ agent }) => agent === person.id)}
                usual={usualSeat(person, skills)}
                profile={person.profile === undefined ? undefined : profileName(person.profile)}
                readOnly={readOnly.has(person.id)}
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
      {may(identity, "people.change") && <SecondFactorRule />}
      {may(identity, "people.change") && <SessionRule />}
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

/** What a person without a seat has. */
const usualSeat = (person: Person, skills: readonly (readonly [string, string])[]): Seat => ({
  agent: person.id,
  skills: isRoutedWithoutSeat(person) ? skills.map(([id]) => id) : [],
  capacity: 3,
});

/** What is above the table: the search, and the button that invites a person. */
function PeopleHead({ children }: { children: ReactNode }): ReactElement {
  const { identity } = useWorkspace();
  const [inviting, setInviting] = useState(false);
  return (
    <div className="people-head">
      {children}
      {may(identity, "people.change") && (
        <button type="button" className="button" onClick={() => setInviting(true)}>{settingsTexts.invite.open}</button>
      )}
      {inviting && <InviteForm close={() => setInviting(false)} />}
    </div>
  );
}

function PeopleSearch({ find, setFind }: { find: string; setFind: (find: string) => void }): ReactElement {
  return (
    <input
      className="input find"
      type="search"
      aria-label={text.find}
      placeholder={text.find}
      value={find}
      onChange={(event) => setFind(event.target.value)}
    />
  );
}

function TableHead(
  { skills, changesSeats }: { skills: readonly (readonly [string, string])[]; changesSeats: boolean },
): ReactElement {
  return (
    <thead>
      <tr>
        <th scope="col">{text.agent}</th>
        {changesSeats && (
          <>
            {skills.map(([id, name]) => <th key={id} scope="col" className="matrix-skill" dir="auto">{name}</th>)}
            <th scope="col" title={text.capacityHint}>{text.capacity}</th>
            <th scope="col">{text.listen}</th>
            <th scope="col">
              <span className="aloud">{settingsTexts.item.edit}</span>
            </th>
          </>
        )}
      </tr>
    </thead>
  );
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
  // The row may have moved and the pressed button may be gone: keep the focus on the person.
  useEffect(() => {
    if (done !== undefined && document.activeElement === document.body) {
      document.getElementById(editId(done.id))?.focus();
    }
  }, [done]);
  return [done, changed, undo];
}
