import { type FormEvent, type ReactElement, useEffect, useId, useState } from "react";
import { type Refusal, type Session, signIn } from "../../client/agent/sign-in";
import { request } from "../app/agent-session";
import { usePage } from "../app/page-context";
import { useLatest } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { signInTexts } from "../i18n/sign-in-texts";
import { texts } from "../i18n/texts";

const text = signInTexts;

/** The sign-in form, used by the page and by the dialog for an expired session. */
export function SignInForm(
  { entered, notice }: { entered: (session: Session) => void; notice?: string | undefined },
): ReactElement {
  const { get: preferences, set: prefer } = usePage().preferences;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(notice === undefined ? "" : refusalMessage({ code: notice }));
  const [wait, setWait] = useRetryDelay(() => setError(""));
  const id = useId();
  const known = preferences().account !== "" && preferences().email !== "";

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [account, email, password] = ["account", "email", "password"].map((name) => String(fields.get(name) ?? ""));
    if (!account?.trim() || !email?.trim() || !password) return setError(text.missing);
    setBusy(true);
    setError("");
    const answer = await signIn(request, account.trim(), email.trim(), password);
    setBusy(false);
    if (answer.ok) {
      prefer({ account: account.trim(), email: email.trim() });
      return entered(answer.value);
    }
    const seconds = answer.refusal.retryAfter ?? 0;
    setWait(seconds);
    setError(seconds > 0 ? text.wait({ seconds }) : refusalMessage(answer.refusal));
  };

  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <p className="form-error" role="alert" hidden={error === ""}>
        <Icon name="warn" />
        <span>{error}</span>
      </p>
      <Field
        id={`${id}a`}
        name="account"
        label={text.account}
        value={preferences().account}
        complete="organization"
        focus={!known}
      />
      <Field
        id={`${id}e`}
        name="email"
        label={text.email}
        value={preferences().email}
        complete="username"
        type="email"
      />
      <Password id={`${id}p`} focus={known} />
      <button className="button button-main form-submit" disabled={busy || wait > 0}>
        {wait > 0 ? text.waitButton({ seconds: wait }) : busy ? text.busy : text.submit}
      </button>
    </form>
  );
}

export interface FieldProps {
  id: string;
  name: string;
  label: string;
  value: string;
  complete: string;
  type?: string;
  focus?: boolean;
}

/** A field of a form for people who are not signed in. */
export function Field({ id, name, label, value, complete, type = "text", focus = false }: FieldProps): ReactElement {
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        type={type}
        defaultValue={value}
        autoComplete={complete}
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus={focus}
        data-focus={focus || undefined}
      />
    </div>
  );
}

/** A field for a password, which can be shown; `fresh`: for a new one. */
export function Password(
  { id, focus, fresh = false }: { id: string; focus: boolean; fresh?: boolean },
): ReactElement {
  const [shown, setShown] = useState(false);
  return (
    <div className="field">
      <label htmlFor={id}>{fresh ? text.newPassword : text.password}</label>
      <div className="field-row">
        <input
          id={id}
          name="password"
          type={shown ? "text" : "password"}
          autoComplete={fresh ? "new-password" : "current-password"}
          required
          autoFocus={focus}
          data-focus={focus || undefined}
        />
        <button
          type="button"
          className="icon-button"
          aria-pressed={shown}
          aria-label={text.show}
          onClick={() => setShown(!shown)}
        >
          <Icon name="eye" />
        </button>
      </div>
    </div>
  );
}

/** The seconds until the next attempt, counted down. */
function useRetryDelay(over: () => void): [number, (seconds: number) => void] {
  const [until, setUntil] = useState(0);
  const [now, setNow] = useState(0);
  const ended = useLatest(over);
  useEffect(() => {
    if (until === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  const left = until === 0 ? 0 : Math.max(0, Math.ceil((until - Math.max(now, 0)) / 1000));
  useEffect(() => {
    if (until === 0 || left > 0) return;
    setUntil(0);
    ended.current();
  }, [until, left, ended]);
  const start = (seconds: number): void => {
    setNow(Date.now());
    setUntil(seconds > 0 ? Date.now() + seconds * 1000 : 0);
  };
  return [left, start];
}

/** Why the server refused, in words. */
export function refusalMessage({ code }: Refusal): string {
  switch (code) {
    case "login_failed":
      return text.failed;
    case "out_of_range":
      return text.length;
    case "bad_request":
      return text.badName;
    case "rate_limited":
      return text.slow;
    case "suspended":
      return texts.problem.suspended;
    case "network":
      return text.offline;
    case "unavailable":
    case "storage_full":
      return text.unavailable;
    default:
      return text.other;
  }
}
