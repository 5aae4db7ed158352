// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import type { ReactElement } from "react";
import type { Session } from "../../client/agent/sign-in";
import { useBrandChoice } from "./brand-choice";
import { SignInForm } from "./sign-in-form";
import { SignInFrame } from "./sign-in-frame";
import { signInTexts } from "../i18n/sign-in-texts";

const text = signInTexts;

/** The sign-in page. */
export default function SignInPage(
  { entered, notice }: { entered: (session: Session) => void; notice?: string | undefined },
): ReactElement | null {
  const choice = useBrandChoice();
  if (choice === undefined) return null;
  if (choice.brands === "none") return <NoBrand />;
  return (
    <SignInFrame title={text.title} lead={text.lead}>
      <SignInForm entered={entered} choice={choice} notice={notice} />
    </SignInFrame>
  );
}

/** A server that was not set up: nobody can sign in. */
function NoBrand(): ReactElement {
  return (
    <SignInFrame title={text.noBrandTitle} lead={text.noBrand}>
      <p className="signin-command"><code>{text.noBrandCommand}</code></p>
    </SignInFrame>
  );
}
