import { type FormEvent, type ReactElement, useState } from "react";
import { Avatar } from "../../ui/avatar";
import { useSessionState, useWorkspace } from "../../app/session-context";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { ProblemProvider, Radios, TextField, Toggle } from "../fields";
import { PasswordLink } from "./password-link";
import { endsSession, isOff, NAME_LENGTH, patchOf, type Person, type PersonPatch, profileFor } from "./person";
import { ROLES } from "./roles";
import { PersonKeys } from "./person-keys";
import { PersonSecondFactor } from "./second-factor";
import { ProfileField } from "../profiles/profile-forms";
import { useSettings } from "../settings-context";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.person;

interface FormProps {
  readonly person: Person;
  readonly close: () => void;
  /** Called after the change was saved. */
  readonly changed: (patch: PersonPatch) => void;
}

/** Edits a person's name, role and sign-in, and explains the consequences before saving. */
export function PersonForm({ person, close, changed }: FormProps): ReactElement {
  const { editor } = useSettings();
  const me = useWorkspace().identity.agent.id === person.id;
  const [name, setName] = useState(person.name);
  const [role, setRole] = useState(person.role);
  const [disabled, setDisabled] = useState(isOff(person));
  const [profile, setProfile] = useState(profileFor(person));
  const [problem, setProblem] = useState<string | undefined>();
  const [phase, setPhase] = useState<{ readonly saving: boolean; readonly refused?: string }>({ saving: false });
  const patch = patchOf(person, { name, role, disabled, profile });
  const leave = (): void => void (phase.saving || close());
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = nameProblem(name);
    setProblem(wrong);
    if (wrong !== undefined) return focusName(event.currentTarget);
    if (Object.keys(patch).length === 0) return leave();
    setPhase({ saving: true });
    void editor.changePerson(person.id, patch).then((refused) => {
      if (refused === undefined) changed(patch);
      else setPhase({ saving: false, refused });
    });
  };
  return (
    <Dialog label={settingsTexts.people.edit({ name: person.name })} className="person-edit" close={leave}>
      <form onSubmit={submit} noValidate>
        <PersonHeader person={person} />
        <ProblemProvider value={problem === undefined ? [] : [{ at: "name", text: problem }]}>
          <TextField label={text.name} hint={text.nameHint} at="name" value={name} set={setName} />
        </ProblemProvider>
        <div className="person-roles">
          <Radios label={text.role} value={role} set={setRole} options={ROLES} />
        </div>
        <ProfileField value={profile} set={setProfile} />
        <Toggle
          label={text.signIn}
          hint={me ? text.ownSignIn : text.signInHint}
          value={!disabled}
          disabled={me}
          set={(on) => setDisabled(!on)}
        />
        <Access person={person} disabled={disabled} />
        <div role="status">
          <Consequences person={person} patch={patch} me={me} />
        </div>
        {phase.refused !== undefined && <p className="bad" role="alert">{text.refused[phase.refused] ?? text.other}</p>}
        <footer>
          <button type="button" className="button" onClick={leave} disabled={phase.saving}>{text.cancel}</button>
          <button className="button button-main" disabled={phase.saving}>
            {phase.saving ? text.saving : !endsSession(person, patch) ? text.save : me ? text.saveOutMe : text.saveOut}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** With what the person, or a program that the person made a key for, gets in. */
function Access({ person, disabled }: { person: Person; disabled: boolean }): ReactElement | null {
  if (disabled) return <PersonKeys person={person} />;
  if (isOff(person)) return null;
  return (
    <>
      <PasswordLink person={person} />
      {!person.invited && <PersonSecondFactor person={person} />}
    </>
  );
}

function PersonHeader({ person }: { person: Person }): ReactElement {
  return (
    <header className="person-edit-head">
      <Avatar name={person.name} large />
      <div>
        <h2 dir="auto">{person.name}</h2>
        <p dir="auto">{person.email}</p>
      </div>
    </header>
  );
}

/** Explains a change that signs the person out. */
function Consequences({ person, patch, me }: { person: Person; patch: PersonPatch; me: boolean }): ReactElement | null {
  const { editor } = useSettings();
  const { inbox } = useSessionState();
  if (!endsSession(person, patch)) return null;
  const open = [...inbox.rows.values()].filter(({ status, to }) => status === "open" && to === person.id).length;
  const leaves = patch.disabled === true && open > 0;
  return (
    <div className="person-comes">
      <Icon name="warn" />
      <div>
        <p>
          {patch.disabled === true
            ? text.out({ name: person.name })
            : me
            ? text.ownRole({ role: settingsTexts.people.role[patch.role ?? ""] ?? "" })
            : text.newRole({ name: person.name, role: settingsTexts.people.role[patch.role ?? ""] ?? "" })}
        </p>
        {leaves && (
          <p>
            {text.answers({ count: open })}{" "}
            {editor.value("silence").offlineSeconds === undefined ? text.stays : text.returns}
          </p>
        )}
      </div>
    </div>
  );
}

function nameProblem(name: string): string | undefined {
  if (name.trim() === "") return settingsTexts.problem.empty;
  return [...name.trim()].length > NAME_LENGTH ? settingsTexts.problem.long({ most: NAME_LENGTH }) : undefined;
}

function focusName(form: EventTarget & Element): void {
  form.querySelector<HTMLElement>(".input")?.focus();
}
