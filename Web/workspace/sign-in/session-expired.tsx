// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import type { ReactElement } from "react";
import type { Session } from "../../client/agent/sign-in";
import { useMyName } from "../app/session-context";
import { Dialog } from "../ui/dialog";
import { Logo } from "../ui/icons";
import { useBrandChoice } from "./brand-choice";
import { SignInForm } from "./sign-in-form";
import { signInTexts } from "../i18n/sign-in-texts";
import { texts } from "../i18n/texts";

/** Asks to sign in again after the session has expired; drafts and the page stay as they are. */
export default function SessionExpired({ entered }: { entered: (session: Session) => void }): ReactElement {
  const name = useMyName();
  const choice = useBrandChoice();
  return (
    <Dialog label={signInTexts.expiredTitle} className="expired">
      <div className="signin-brand">
        <Logo />
        <span>{texts.product}</span>
      </div>
      <h2>{signInTexts.expiredTitle}</h2>
      <p>{signInTexts.expired}</p>
      {choice !== undefined && <SignInForm entered={entered} choice={choice} />}
      <p className="expired-note">{signInTexts.otherPerson({ name })}</p>
    </Dialog>
  );
}
