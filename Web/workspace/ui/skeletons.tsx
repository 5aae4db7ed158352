import type { ReactElement } from "react";
import { Logo } from "./icons";
import { texts } from "../i18n/texts";

/** Shown until it is known who is signed in: the logo only, so that nothing jumps. */
export function Booting(): ReactElement {
  return (
    <main className="booting" aria-busy="true">
      <Logo />
      <p className="aloud">{texts.loading}</p>
    </main>
  );
}

/** The inbox before its rows are here. */
export function RowSkeletons(): ReactElement {
  return (
    <div className="skeletons" role="status" aria-label={texts.loading}>
      {[62, 48, 70, 55, 66, 44].map((width, i) => (
        <div className="skeleton-row" key={i}>
          <span className="skeleton skeleton-avatar" />
          <span className="skeleton-lines">
            <span className="skeleton skeleton-line" data-width={i % 2 === 0 ? "m" : "s"} />
            <span className="skeleton skeleton-line" data-width={width > 60 ? "l" : "m"} />
          </span>
        </div>
      ))}
    </div>
  );
}

/** A conversation before its messages are here. */
export function MessageSkeletons(): ReactElement {
  return (
    <div className="skeletons skeletons-messages" role="status" aria-label={texts.loading}>
      {(["m", "l", "s", "l", "m"] as const).map((width, i) => (
        <span
          key={i}
          className="skeleton skeleton-bubble"
          data-width={width}
          data-side={i % 3 === 1 ? "brand" : "consumer"}
        />
      ))}
    </div>
  );
}

/** The consumer's card before it is here. */
export function CardSkeleton(): ReactElement {
  return (
    <div className="skeletons skeletons-card" role="status" aria-label={texts.loading}>
      <span className="skeleton skeleton-avatar skeleton-avatar-large" />
      {(["m", "s", "l", "s", "m"] as const).map((width, i) => (
        <span key={i} className="skeleton skeleton-line" data-width={width} />
      ))}
    </div>
  );
}
