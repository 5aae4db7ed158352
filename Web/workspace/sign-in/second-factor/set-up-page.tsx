// Everything that is on the page already stays one part: see lazy-part.tsx.
import "../../app/app";
import { type ReactElement, useCallback } from "react";
import { type Session, signOut } from "../../../client/agent/sign-in";
import { request } from "../../app/agent-session";
import { signInTexts } from "../../i18n/sign-in-texts";
import { SignInFrame } from "../sign-in-frame";
import { SetUp } from "./set-up";

const text = signInTexts.secondFactor;

/** The page of a person whose brand requires a second factor, until they have one. */
export default function SetUpPage({ identity, done }: { identity: Session; done: () => void }): ReactElement {
  const csrf = useCallback(() => identity.csrf, [identity]);
  const leave = (): void => void signOut(request, identity.csrf).then(() => location.reload());
  return (
    <SignInFrame title={text.forcedTitle} lead={text.forcedLead({ brand: identity.account.name })}>
      <SetUp csrf={csrf} done={done} />
      <p className="set-up-leave">
        <button type="button" className="link" onClick={leave}>{text.signOut}</button>
      </p>
    </SignInFrame>
  );
}
