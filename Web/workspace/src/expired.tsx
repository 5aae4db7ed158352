// Everything that is on the page already stays one part: see later.tsx.
import "./app";
import type { ReactElement } from "react";
import type { Session } from "../../client/agent-session";
import { useMyName } from "./desk";
import { Dialog } from "./dialog";
import { Logo } from "./icons";
import { SignInForm } from "./signin-form";
import { strings } from "./strings";

/** The session is over; everything else is as it was. */
export default function Expired({ entered }: { entered: (session: Session) => void }): ReactElement {
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
