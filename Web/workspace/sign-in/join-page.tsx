// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import { type FormEvent, type ReactElement, useEffect, useId, useState } from "react";
import { join, type LinkPurpose, linkPurpose, type Refusal, type Session } from "../../client/agent/sign-in";
import { typedCode } from "../../client/agent/second-factor/second-factor";
import { request } from "../app/agent-session";
import { usePage } from "../app/page-context";
import { signInTexts } from "../i18n/sign-in-texts";
import { refusalMessage } from "./attempt";
import { Field, FormError, Password } from "./form-fields";
import { EnterPage } from "./enter-page";
import type { Link } from "./link";
import { CodeField } from "./second-factor/code-field";
import { SignInFrame } from "./sign-in-frame";

const text = signInTexts.join;

/** A password has at least so many bytes: Passwords.swift. */
const PASSWORD_LENGTH = 8;

interface JoinProps {
  readonly token: string;
  readonly entered: (session: Session) => void;
}

type LinkProps = Pick<JoinProps, "entered"> & { readonly link: Link };

/** The page of a one-time link. */
export default function LinkPage({ link, entered }: LinkProps): ReactElement {
  const { token } = link;
  return link.signsIn ? <EnterPage token={token} entered={entered} /> : <JoinPage token={token} entered={entered} />;
}

/** The page of a password link: joins a brand, or replaces a forgotten password. */
function JoinPage({ token, entered }: JoinProps): ReactElement | null {
  const [purpose, setPurpose] = useState<LinkPurpose | Refusal | undefined>();
  const look = (): void => {
    setPurpose(undefined);
    void linkPurpose(request, token).then((answer) => setPurpose(answer.ok ? answer.value : answer.refusal));
  };
  useEffect(look, [token]);
  if (purpose === undefined) return null;
  if ("code" in purpose) return <Refused refusal={purpose} again={look} />;
  const { brand, name, email, invited } = purpose;
  const title = invited ? text.title({ brand }) : text.resetTitle;
  const lead = invited ? text.lead({ email }) : text.resetLead({ name, brand });
  return (
    <SignInFrame title={title} lead={lead}>
      <JoinForm token={token} purpose={purpose} entered={entered} gone={(refusal) => setPurpose(refusal)} />
    </SignInFrame>
  );
}

/** The link does not work, or the server could not be asked. */
function Refused({ refusal, again }: { refusal: Refusal; again: () => void }): ReactElement {
  const gone = refusal.code === "link_invalid";
  return (
    <SignInFrame title={gone ? text.goneTitle : text.failedTitle} lead={gone ? text.gone : refusalMessage(refusal)}>
      <p className="form">
        {gone
          ? <a className="button button-main form-submit" href="./">{text.toSignIn}</a>
          : <button className="button button-main form-submit" onClick={again}>{text.again}</button>}
      </p>
    </SignInFrame>
  );
}

type FormProps = JoinProps & { readonly purpose: LinkPurpose; readonly gone: (refusal: Refusal) => void };

function JoinForm({ token, purpose, entered, gone }: FormProps): ReactElement {
  const { preferences } = usePage();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [needsCode, setNeedsCode] = useState(false);
  const id = useId();
  const { account, name, email, invited } = purpose;
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const wanted = invited ? String(fields.get("name") ?? "").trim() : undefined;
    const password = String(fields.get("password") ?? "");
    if (wanted === "") return setError(signInTexts.badName);
    if (new TextEncoder().encode(password).length < PASSWORD_LENGTH) return setError(signInTexts.length);
    setBusy(true);
    setError("");
    const code = needsCode ? { code: typedCode(String(fields.get("code") ?? "")) } : {};
    const answer = await join(request, { token, password, ...(wanted === undefined ? {} : { name: wanted }), ...code });
    setBusy(false);
    if (answer.ok) {
      preferences.set({ account, email });
      return entered(answer.value);
    }
    if (answer.refusal.code === "link_invalid") return gone(answer.refusal);
    if (answer.refusal.code === "second_factor_required" && !needsCode) return setNeedsCode(true);
    setError(refusalMessage(answer.refusal));
  };
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <FormError error={error} />
      {/* Password managers keep the address with the new password. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      {invited && <Field id={`${id}n`} name="name" label={text.name} value={name} complete="name" focus />}
      <Password id={`${id}p`} focus={!invited} fresh />
      {needsCode && <CodeField />}
      <button className="button button-main form-submit" disabled={busy}>
        {busy ? text.busy : invited ? text.submit : text.reset}
      </button>
    </form>
  );
}
