// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import { type ReactElement, useEffect } from "react";
import type { Session } from "../../client/agent/sign-in";
import { Logo } from "../ui/icons";
import { SignInForm } from "./sign-in-form";
import { signInTexts } from "../i18n/sign-in-texts";
import { texts } from "../i18n/texts";

const text = signInTexts;

/** The sign-in page. */
export default function SignInPage(
  { entered, notice }: { entered: (session: Session) => void; notice?: string | undefined },
): ReactElement {
  useEffect(() => void (document.title = `${text.title} · ${texts.product}`), []);
  return (
    <main className="signin">
      <Wave />
      <div className="signin-panel">
        <div className="signin-brand">
          <Logo />
          <span>{texts.product}</span>
        </div>
        <h1>{text.title}</h1>
        <p className="signin-lead">{text.lead}</p>
        <SignInForm entered={entered} notice={notice} />
      </div>
    </main>
  );
}

/** A large waveform behind the form. */
function Wave(): ReactElement {
  const bars = Array.from({ length: BARS }, (_, i) => {
    const voice = Math.abs(Math.sin(i * 0.37) * Math.cos(i * 0.11));
    return 8 + 74 * voice * Math.sin((Math.PI * (i + 1)) / (BARS + 1));
  });
  return (
    <svg
      className="signin-wave"
      viewBox="0 0 610 180"
      aria-hidden="true"
      focusable="false"
      preserveAspectRatio="xMidYMid slice"
    >
      {bars.map((height, i) => <rect key={i} x={i * 10 + 2} y={90 - height} width="5" height={height * 2} rx="2.5" />)}
    </svg>
  );
}

const BARS = 61;
