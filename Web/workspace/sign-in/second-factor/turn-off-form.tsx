import { type FormEvent, type ReactElement, useState } from "react";
import { turnOff } from "../../../client/agent/second-factor/second-factor";
import { request } from "../../app/agent-session";
import { signInTexts } from "../../i18n/sign-in-texts";
import { FormError } from "../form-fields";

const text = signInTexts.secondFactor;

interface FormProps {
  readonly csrf: () => string;
  readonly done: () => void;
  readonly cancel: () => void;
}

/** Turns one's own second factor off: with the password and a code. */
export function TurnOffForm({ csrf, done, cancel }: FormProps): ReactElement {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    setBusy(true);
    setError("");
    const answer = await turnOff(request, csrf(), String(fields.get("password")), String(fields.get("code")));
    setBusy(false);
    if (answer.ok) return done();
    setError(problem(answer.refusal.code));
  };
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <p>{text.turnOffLead}</p>
      <FormError error={error} />
      <label className="form-field">
        <span className="label">{signInTexts.password}</span>
        <input name="password" type="password" autoComplete="current-password" maxLength={256} required autoFocus />
      </label>
      <label className="form-field code-field">
        <span className="label">{text.turnOffCode}</span>
        <input name="code" type="text" autoComplete="one-time-code" autoCapitalize="none" spellCheck={false}
          maxLength={40} required />
      </label>
      <button className="button button-danger form-submit" disabled={busy}>{text.turnOffSubmit}</button>
      <button type="button" className="button" onClick={cancel}>{text.cancel}</button>
    </form>
  );
}

function problem(code: string): string {
  switch (code) {
    case "login_failed":
      return text.wrongPassword;
    case "second_factor_wrong":
    case "bad_request":
      return text.wrongCode;
    case "rate_limited":
      return text.wait;
    default:
      return text.other;
  }
}
