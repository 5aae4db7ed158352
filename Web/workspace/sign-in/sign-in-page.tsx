// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import type { ReactElement } from "react";
import type { Session } from "../../client/agent/sign-in";
import { SignInForm } from "./sign-in-form";
import { SignInFrame } from "./sign-in-frame";
import { signInTexts } from "../i18n/sign-in-texts";

const text = signInTexts;

/** The sign-in page. */
export default function SignInPage(
  { entered, notice }: { entered: (session: Session) => void; notice?: string | undefined },
): ReactElement {
  return (
    <SignInFrame title={text.title} lead={text.lead}>
      <SignInForm entered={entered} notice={notice} />
    </SignInFrame>
  );
}
