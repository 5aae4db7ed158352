import { type FormEvent, type ReactElement, useState } from "react";
import { typedCode } from "../../../client/agent/second-factor/second-factor";
import type { Credentials, Session } from "../../../client/agent/sign-in";
import { signInTexts } from "../../i18n/sign-in-texts";
import { useAttempt } from "../attempt";
import { FormError } from "../form-fields";
import { CodeField } from "./code-field";

const text = signInTexts.code;

interface CodeStepProps {
  /** What was right so far. It is sent again with the code. */
  readonly credentials: Credentials;
  readonly signedIn: (session: Session) => void;
  readonly back: () => void;
}

/** The second step of signing in: the code of the second factor. */
export function CodeStep({ credentials, signedIn, back }: CodeStepProps): ReactElement {
  const { busy, error, wait, show, run } = useAttempt();
  const [recovery, setRecovery] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const code = typedCode(String(new FormData(event.currentTarget).get("code") ?? ""));
    if (code === "") return show(text.missing);
    const answer = await run({ ...credentials, code });
    if (typeof answer !== "string") return signedIn(answer);
    if (answer === "login_failed") return back();
    if (answer === "second_factor_wrong" && recovery) show(text.wrongRecovery);
  };
  return (
    <form className="form" onSubmit={(event) => void submit(event)} noValidate>
      <FormError error={error} />
      <CodeField
        switched={(next) => {
          setRecovery(next);
          show("");
        }}
      />
      <button className="button button-main form-submit" disabled={busy || wait > 0}>
        {wait > 0 ? signInTexts.waitButton({ seconds: wait }) : busy ? signInTexts.busy : text.submit}
      </button>
      <button type="button" className="button" onClick={back}>{text.back}</button>
    </form>
  );
}
