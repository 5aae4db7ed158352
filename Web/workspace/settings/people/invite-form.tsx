import { type FormEvent, type ReactElement, useState } from "react";
import { settingsTexts } from "../../i18n/settings-texts";
import { Dialog } from "../../ui/dialog";
import { ProblemProvider, Radios, TextField } from "../fields";
import type { Problem } from "../validation";
import { useSettings } from "../settings-context";
import { ShownLink } from "./password-link";
import { ROLES } from "./roles";
import { type Invitation, NAME_LENGTH, type NewLink } from "./person";

const text = settingsTexts.invite;
const person = settingsTexts.person;

/** Invites a person: asks for name, address and role, then shows the link to hand over. */
export function InviteForm({ close }: { close: () => void }): ReactElement {
  const [made, setMade] = useState<{ readonly link: NewLink; readonly name: string } | undefined>();
  return (
    <Dialog label={text.title} className="person-edit" close={close}>
      {made === undefined
        ? <Fields close={close} done={(link, name) => setMade({ link, name })} />
        : (
          <form onSubmit={close}>
            <h2>{text.done({ name: made.name })}</h2>
            <ShownLink link={made.link} name={made.name} />
            <footer>
              <button type="button" className="button" onClick={close}>{text.close}</button>
            </footer>
          </form>
        )}
    </Dialog>
  );
}

function Fields({ close, done }: { close: () => void; done: (link: NewLink, name: string) => void }): ReactElement {
  const { editor } = useSettings();
  const [invitation, setInvitation] = useState<Invitation>({ name: "", email: "", role: "agent" });
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [phase, setPhase] = useState<{ readonly busy: boolean; readonly refused?: string }>({ busy: false });
  const put = (part: Partial<Invitation>): void => setInvitation({ ...invitation, ...part });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = { ...invitation, name: invitation.name.trim(), email: invitation.email.trim() };
    const wrong = problemsOf(wanted);
    setProblems(wrong);
    if (wrong.length > 0) return focusFirst(event.currentTarget, wrong);
    setPhase({ busy: true });
    void editor.links.invite(wanted).then((made) => {
      if (typeof made === "string") setPhase({ busy: false, refused: made });
      else done(made, wanted.name);
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <h2>{text.title}</h2>
      <ProblemProvider value={problems}>
        <TextField
          label={person.name}
          hint={person.nameHint}
          at="name"
          value={invitation.name}
          set={(name) => put({ name })}
        />
        <TextField
          label={text.email}
          hint={text.emailHint}
          at="email"
          value={invitation.email}
          set={(email) => put({ email })}
        />
      </ProblemProvider>
      <div className="person-roles">
        <Radios label={person.role} value={invitation.role} set={(role) => put({ role })} options={ROLES} />
      </div>
      {phase.refused !== undefined && (
        <p className="bad" role="alert">
          {text.refused[phase.refused] ?? person.refused[phase.refused] ?? person.other}
        </p>
      )}
      <footer>
        <button type="button" className="button" onClick={close} disabled={phase.busy}>{person.cancel}</button>
        <button className="button button-main" disabled={phase.busy}>{phase.busy ? text.busy : text.submit}</button>
      </footer>
    </form>
  );
}

function problemsOf({ name, email }: Invitation): readonly Problem[] {
  const long = [...name].length > NAME_LENGTH;
  return [
    ...(name === "" ? [{ at: "name", text: settingsTexts.problem.empty }] : []),
    ...(long ? [{ at: "name", text: settingsTexts.problem.long({ most: NAME_LENGTH }) }] : []),
    ...(/^[^@\s]+@[^@\s]+$/u.test(email) ? [] : [{ at: "email", text: text.badEmail }]),
  ];
}

function focusFirst(form: EventTarget & Element, [first]: readonly Problem[]): void {
  form.querySelectorAll<HTMLElement>("input.input")[first?.at === "email" ? 1 : 0]?.focus();
}
