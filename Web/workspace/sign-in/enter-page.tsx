import { type ReactElement, useEffect, useState } from "react";
import { enterByLink } from "../../client/agent/sign-in-page/sign-in-page";
import type { Refusal, Session } from "../../client/agent/sign-in";
import { request } from "../app/agent-session";
import { usePage } from "../app/page-context";
import { signInTexts } from "../i18n/sign-in-texts";
import { useLatest } from "../ui/hooks";
import { refusalMessage } from "./attempt";
import { SignInFrame } from "./sign-in-frame";

const text = signInTexts.enter;

interface EnterProps {
  readonly token: string;
  readonly entered: (session: Session) => void;
}

/** The page of a one-click link of the demo: signs in, or says why not and what to do. */
export function EnterPage({ token, entered }: EnterProps): ReactElement | null {
  const { preferences } = usePage();
  const [refusal, setRefusal] = useState<Refusal | undefined>();
  const done = useLatest((session: Session): void => {
    preferences.set({ account: session.account.id });
    entered(session);
  });
  useEffect(() => {
    void enterByLink(request, token).then((answer) => {
      if (answer.ok) done.current(answer.value);
      else setRefusal(answer.refusal);
    });
  }, [token, done]);
  if (refusal === undefined) return null;
  const { title, lead, command } = explanation(refusal);
  return (
    <SignInFrame title={title} lead={lead}>
      {command !== undefined && <p className="signin-command"><code>{command}</code></p>}
      <p className="form">
        <a className="button button-main form-submit" href="./">{signInTexts.join.toSignIn}</a>
      </p>
    </SignInFrame>
  );
}

function explanation(refusal: Refusal): { title: string; lead: string; command?: string } {
  switch (refusal.code) {
    case "link_invalid":
      return { title: signInTexts.join.goneTitle, lead: text.gone, command: text.command };
    case "forbidden":
      return { title: text.elsewhereTitle, lead: text.elsewhere };
    case "second_factor_required":
      return { title: text.failedTitle, lead: text.secondFactor };
    default:
      return { title: text.failedTitle, lead: refusalMessage(refusal) };
  }
}
