import { type FormEvent, type ReactElement, useId, useState } from "react";
import type { Credentials, Session } from "../../client/agent/sign-in";
import { usePage } from "../app/page-context";
import { signInTexts } from "../i18n/sign-in-texts";
import { useAttempt } from "./attempt";
import { Field, FormError, Password } from "./form-fields";
import { CodeStep } from "./second-factor/code-step";
import { RecoveryCodeUsed } from "./second-factor/recovery-code-used";

const text = signInTexts;

interface SignInProps {
  readonly entered: (session: Session) => void;
  readonly notice?: string | undefined;
}

/**
 * The sign-in form, used by the page and by the dialog for an expired session: the password, then a code for a person
 * with a second factor.
 */
export function SignInForm({ entered, notice }: SignInProps): ReactElement {
  const [credentials, setCredentials] = useState<Credentials | undefined>();
  const [session, setSession] = useState<Session | undefined>();
  const signedIn = (next: Session): void =>
    next.secondFactor.recoveryCodesLeft === undefined ? entered(next) : setSession(next);
  if (session !== undefined) {
    return (
      <RecoveryCodeUsed left={session.secondFactor.recoveryCodesLeft ?? 0} proceed={() => entered(session)} />
    );
  }
  if (credentials !== undefined) {
    return <CodeStep credentials={credentials} signedIn={signedIn} back={() => setCredentials(undefined)} />;
  }
  return <PasswordStep notice={notice} signedIn={signedIn} needsCode={setCredentials} />;
}

interface PasswordStepProps {
  readonly notice: string | undefined;
  readonly signedIn: (session: Session) => void;
  readonly needsCode: (credentials: Credentials) => void;
}

function PasswordStep({ notice, signedIn, needsCode }: PasswordStepProps): ReactElement {
  const { get: preferences } = usePage().preferences;
  const { busy, error, wait, show, run } = useAttempt(notice);
  const id = useId();
  const known = preferences().account !== "" && preferences().email !== "";

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const [account, email, password] = ["account", "email", "password"].map((name) => String(fields.get(name) ?? ""));
    if (!account?.trim() || !email?.trim() || !password) return show(text.missing);
    const credentials = { account: account.trim(), email: email.trim(), password };
    const answer = await run(credentials);
    if (answer === "second_factor_required") needsCode(credentials);
    else if (typeof answer !== "string") signedIn(answer);
  };

  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <FormError error={error} />
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
