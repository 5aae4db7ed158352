import { type FormEvent, type ReactElement, type ReactNode, useEffect, useState } from "react";
import { HTTPProblem } from "../../../client/core/api";
import { list } from "../../../client/core/parse";
import { settingsTexts } from "../../i18n/settings-texts";
import { Dialog } from "../../ui/dialog";
import { ProblemProvider, SelectField, TextField, Toggle } from "../fields";
import { useAsk, useSettings, useSkills } from "../settings-context";
import type { Problem } from "../validation";
import type { PermissionDeclaration } from "../../../protocol/permissions";
import {
  ALWAYS, CUSTOM, type Group, nameProblems, namesOf, type PermissionChange, type Profile, profileOf, withPermission,
} from "./profile";

const text = settingsTexts.profiles;

interface FormProps<Value> {
  /** What to edit; `undefined`: a new one. */
  readonly of: Value | undefined;
  readonly close: () => void;
  readonly saved: () => void;
}

/** What a new profile begins with. */
const FIRST = [ALWAYS, "history.search", "notes.read", "conversations.answer", "conversations.close"] as const;

/** Makes or edits a profile. */
export function ProfileForm({ of, close, saved }: FormProps<Profile>): ReactElement {
  const [held, setHeld] = useState<readonly string[]>(of?.permissions ?? FIRST);
  const [also, setAlso] = useState("");
  const change = (one: PermissionDeclaration, on: boolean): void => {
    const next = withPermission(held, one.id, on);
    setHeld(next.held);
    setAlso(alsoText(next, on));
  };
  return (
    <NamedForm
      title={of === undefined ? text.make : text.edit}
      path="/v1/profiles"
      {...{ of, close, saved }}
      value={{ permissions: CUSTOM.map(({ id }) => id).filter((id) => id !== ALWAYS && held.includes(id)) }}
    >
      <fieldset className="radios">
        <legend>{text.may}</legend>
        {CUSTOM.map((one) => (
          <Toggle
            key={one.id}
            label={one.name}
            hint={one.needs.length === 0 ? one.sentence : `${one.sentence} ${needsText(one)}`}
            value={one.id === ALWAYS || held.includes(one.id)}
            disabled={one.id === ALWAYS}
            set={(on) => change(one, on)}
          />
        ))}
      </fieldset>
      <p className="profile-also" role="status">{also}</p>
    </NamedForm>
  );
}

const needsText = ({ needs }: PermissionDeclaration): string => text.needs({ names: namesOf(needs).join(", ") });

function alsoText({ also }: PermissionChange, on: boolean): string {
  const names = also.map(({ name }) => name).join(", ");
  return names === "" ? "" : (on ? text.alsoOn : text.alsoOff)({ names });
}

/** Makes or edits a group. */
export function GroupForm({ of, close, saved }: FormProps<Group>): ReactElement {
  const { state } = useSettings();
  const [people, setPeople] = useState(of?.people ?? []);
  const [skills, setSkills] = useState(of?.skills ?? []);
  return (
    <NamedForm
      title={of === undefined ? text.makeGroup : text.edit}
      path="/v1/groups"
      {...{ of, close, saved }}
      value={{ people, skills }}
    >
      <Choices
        label={text.people}
        options={state.people.map(({ id, name }) => [id, name])}
        held={people}
        set={setPeople}
      />
      <Choices label={text.skills} options={useSkills()} held={skills} set={setSkills} />
    </NamedForm>
  );
}

interface ChoicesProps {
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
  readonly held: readonly string[];
  readonly set: (held: readonly string[]) => void;
}

function Choices({ label, options, held, set }: ChoicesProps): ReactElement {
  return (
    <fieldset className="radios">
      <legend>{label}</legend>
      {options.map(([id, name]) => (
        <Toggle
          key={id}
          label={name}
          value={held.includes(id)}
          set={(on) => set(options.map(([one]) => one).filter((one) => (one === id ? on : held.includes(one))))}
        />
      ))}
    </fieldset>
  );
}

interface NamedProps {
  readonly title: string;
  readonly path: string;
  readonly of: { readonly id: string; readonly name: string } | undefined;
  readonly value: Readonly<Record<string, unknown>>;
  readonly close: () => void;
  readonly saved: () => void;
  readonly children: ReactNode;
}

function NamedForm({ title, path, of, value, close, saved, children }: NamedProps): ReactElement {
  const ask = useAsk();
  const [name, setName] = useState(of?.name ?? "");
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [phase, setPhase] = useState<{ readonly busy: boolean; readonly refused?: string }>({ busy: false });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = nameProblems(name);
    setProblems(wrong);
    if (wrong.length > 0) return event.currentTarget.querySelector<HTMLElement>("input.input")?.focus();
    setPhase({ busy: true });
    const [method, url] = of === undefined ? ["POST", path] as const : ["PUT", `${path}/${of.id}`] as const;
    ask(method, url, { name: name.trim(), ...value }).then(
      saved,
      (error: unknown) => setPhase({ busy: false, refused: error instanceof HTTPProblem ? error.code : "network" }),
    );
  };
  return (
    <Dialog label={title} className="person-edit" close={close}>
      <form onSubmit={submit} noValidate>
        <h2>{title}</h2>
        <ProblemProvider value={problems}>
          <TextField label={text.name} at="name" value={name} set={setName} />
        </ProblemProvider>
        {children}
        {phase.refused !== undefined && <p className="bad" role="alert">{text.refused[phase.refused] ?? text.other}</p>}
        <footer>
          <button type="button" className="button" onClick={close} disabled={phase.busy}>{text.cancel}</button>
          <button className="button button-main" disabled={phase.busy}>{phase.busy ? text.busy : text.save}</button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Chooses a person's profile. Shows nothing while the brand has made none. */
export function ProfileField({ value, set }: { value: string; set: (id: string) => void }): ReactElement | null {
  const ask = useAsk();
  const [made, setMade] = useState<readonly Profile[]>([]);
  useEffect(() => {
    ask("GET", "/v1/profiles").then(
      (json) => setMade(list(json["profiles"], profileOf).filter(({ builtIn }) => !builtIn)),
      () => setMade([]),
    );
  }, [ask]);
  if (made.length === 0) return null;
  return (
    <SelectField
      label={text.profile}
      hint={text.profileHint}
      value={value}
      set={set}
      options={[["built-in", text.ofRole], ...made.map(({ id, name }) => [id, name] as const)]}
    />
  );
}
