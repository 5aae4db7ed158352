// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import type { ReactElement } from "react";
import type { Session } from "../../client/agent/sign-in";
import { useMyName } from "../app/session-context";
import { Dialog } from "../ui/dialog";
import { Logo } from "../ui/icons";
import { SignInForm } from "./sign-in-form";
import { texts } from "../i18n/texts";

/** The session is over; everything else is as it was. */
export default function SessionExpired({ entered }: { entered: (session: Session) => void }): ReactElement {
  const name = useMyName();
  return (
    <Dialog label={texts.signIn.expiredTitle} className="expired">
      <div className="signin-brand">
        <Logo />
        <span>{texts.product}</span>
      </div>
      <h2>{texts.signIn.expiredTitle}</h2>
      <p>{texts.signIn.expired}</p>
      <SignInForm entered={entered} />
      <p className="expired-note">{texts.signIn.otherPerson({ name })}</p>
    </Dialog>
  );
}
