import { type FormEvent, type ReactElement, useId, useState } from "react";
import type { Credentials, Session } from "../../client/agent/sign-in";
import { type BrandChoice, isAccountName, knownAccount } from "../../client/agent/sign-in-page/sign-in-page";
import { usePage } from "../app/page-context";
import { signInTexts } from "../i18n/sign-in-texts";
import { useAttempt } from "./attempt";
import { Field, FormError, Password } from "./form-fields";
import { CodeStep } from "./second-factor/code-step";
import { RecoveryCodeUsed } from "./second-factor/recovery-code-used";

const text = signInTexts;

interface SignInProps {
  readonly entered: (session: Session) => void;
  readonly choice: BrandChoice;
  readonly notice?: string | undefined;
}

/**
 * The sign-in form, used by the page and by the dialog for an expired session: the password, then a code for a person
 * with a second factor.
 */
export function SignInForm({ entered, choice, notice }: SignInProps): ReactElement {
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
  return <PasswordStep choice={choice} notice={notice} signedIn={signedIn} needsCode={setCredentials} />;
}

interface PasswordStepProps {
  readonly choice: BrandChoice;
  readonly notice: string | undefined;
  readonly signedIn: (session: Session) => void;
  readonly needsCode: (credentials: Credentials) => void;
}

function PasswordStep({ choice, notice, signedIn, needsCode }: PasswordStepProps): ReactElement {
  const { get: preferences } = usePage().preferences;
  const [known, setKnown] = useState(() => knownAccount(choice, location.search, preferences().account));
  const { busy, error, wait, show, run } = useAttempt(notice);
  const id = useId();
  const asks = known === undefined;
  const knowsPerson = !asks && preferences().email !== "";

  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const credentials = typed(new FormData(event.currentTarget), known);
    const { account, email, password } = credentials;
    if (!account || !email || !password) return show(asks ? text.missing : text.missingHere);
    if (!isAccountName(account)) return show(text.accountForm);
    const answer = await run(credentials);
    if (answer === "second_factor_required") needsCode(credentials);
    else if (answer === "login_failed") show(asks ? text.failed : text.failedHere);
    else if (typeof answer !== "string") signedIn(answer);
  };

  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <FormError error={error} />
      {asks
        ? <Field id={`${id}a`} name="account" label={text.account} value="" complete="organization" focus />
        : <KnownAccount account={known} choice={choice} ask={() => setKnown(undefined)} />}
      <Field
        id={`${id}e`}
        name="email"
        label={text.email}
        value={preferences().email}
        complete="username"
        type="email"
        focus={!asks && !knowsPerson}
      />
      <Password id={`${id}p`} focus={knowsPerson} />
      <button className="button button-main form-submit" disabled={busy || wait > 0}>
        {wait > 0 ? text.waitButton({ seconds: wait }) : busy ? text.busy : text.submit}
      </button>
    </form>
  );
}

interface KnownAccountProps {
  readonly account: string;
  readonly choice: BrandChoice;
  readonly ask: () => void;
}

/** The account that needs not be typed, and where there are several the way to another. */
function KnownAccount({ account, choice, ask }: KnownAccountProps): ReactElement {
  const name = choice.brands === "one" ? choice.name : account;
  return (
    <p className="signin-account">
      <span dir="auto">{text.brand({ name })}</span>
      {choice.brands === "several" && (
        <button type="button" className="link" onClick={ask}>{text.otherBrand}</button>
      )}
    </p>
  );
}

/** What was typed, without the blanks around it. */
function typed(fields: FormData, account: string | undefined): Credentials {
  const [given, email, password] = ["account", "email", "password"].map((name) => String(fields.get(name) ?? ""));
  return { account: account ?? given?.trim() ?? "", email: email?.trim() ?? "", password: password ?? "" };
}
