// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import type { ReactElement } from "react";
import type { Session } from "../../client/agent/sign-in";
import { useMyName } from "../app/session-context";
import { Dialog } from "../ui/dialog";
import { Logo } from "../ui/icons";
import { SignInForm } from "./sign-in-form";
import { strings } from "../i18n/strings";

/** The session is over; everything else is as it was. */
export default function SessionExpired({ entered }: { entered: (session: Session) => void }): ReactElement {
  const name = useMyName();
  return (
    <Dialog label={strings.signIn.expiredTitle} className="expired">
      <div className="signin-brand"><Logo /><span>{strings.product}</span></div>
      <h2>{strings.signIn.expiredTitle}</h2>
      <p>{strings.signIn.expired}</p>
      <SignInForm entered={entered} />
      <p className="expired-note">{strings.signIn.otherPerson(name)}</p>
    </Dialog>
  );
}
