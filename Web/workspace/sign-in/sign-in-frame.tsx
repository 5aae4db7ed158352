import { type ReactElement, type ReactNode, useEffect } from "react";
import { Logo } from "../ui/icons";
import { texts } from "../i18n/texts";

/** The page around the sign-in forms. */
export function SignInFrame(
  { title, lead, children }: { title: string; lead: string; children?: ReactNode },
): ReactElement {
  useEffect(() => void (document.title = `${title} · ${texts.product}`), [title]);
  return (
    <main className="signin">
      <Wave />
      <div className="signin-panel">
        <div className="signin-brand">
          <Logo />
          <span>{texts.product}</span>
        </div>
        <h1 dir="auto">{title}</h1>
        <p className="signin-lead" dir="auto">{lead}</p>
        {children}
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
