import { type FormEvent, type ReactElement, useState } from "react";
import { changePassword } from "../../client/agent/sign-in";
import { request } from "../app/agent-session";
import { useWorkspace } from "../app/session-context";
import { dialogTexts } from "../i18n/dialog-texts";
import { CloseButton, Dialog } from "../ui/dialog";

const text = dialogTexts.password;

/** Changes one's own password. The other sessions of the person end. */
export default function PasswordDialog({ close }: { close: () => void }): ReactElement {
  const { csrf, identity } = useWorkspace();
  const [told, setTold] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    void changePassword(request, csrf(), String(fields.get("old")), String(fields.get("new"))).then((answer) => {
      setBusy(false);
      if (answer.ok) close();
      else setTold(problem(answer.refusal.code));
    });
  };
  return (
    <Dialog label={text.title} className="wrap-up" close={close}>
      <form onSubmit={submit}>
        <header className="bar">
          <h2>{text.title}</h2>
          <CloseButton close={close} />
        </header>
        <p className="lead">{text.lead}</p>
        <input type="text" name="username" autoComplete="username" defaultValue={identity.agent.name} hidden readOnly />
        <Field name="old" label={text.old} complete="current-password" />
        <Field name="new" label={text.new} complete="new-password" minLength={8} />
        <p className="problem" role="alert">{told}</p>
        <footer className="dialog-foot">
          <button className="button button-main" disabled={busy}>{text.submit}</button>
        </footer>
      </form>
    </Dialog>
  );
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly complete: string;
  readonly minLength?: number;
}

function Field({ name, label, complete, minLength }: FieldProps): ReactElement {
  return (
    <label className="password-field">
      {label}
      <input
        className="field"
        name={name}
        type="password"
        autoComplete={complete}
        minLength={minLength}
        maxLength={256}
        required
      />
    </label>
  );
}

function problem(code: string): string {
  switch (code) {
    case "login_failed":
      return text.wrong;
    case "out_of_range":
      return text.length;
    case "rate_limited":
      return text.wait;
    default:
      return text.failed;
  }
}
