import type { ReactElement } from "react";
import { SOON_MS } from "../../client/agent/inbox";
import { timeText, elapsedText } from "../ui/format";
import { Icon } from "../ui/icons";
import { words } from "../i18n/contact-centre-words";
import { useTicked } from "../app/clock";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Time left until `due`, ticking: to the second where it is short, and how long over it is afterwards. */
export function Countdown({ due }: { due: number }): ReactElement {
  const said = useTicked((now) => (due <= now ? words.left.over(countdownText(now - due)) : words.left.in(countdownText(due - now))));
  const tone = useTicked((now) => (due <= now ? "over" : due - now <= SOON_MS ? "soon" : ""));
  return (
    <span className="left" data-tone={tone} title={words.left.by(timeText(due))}>
      <Icon name="clock" />
      <span aria-hidden="true">{said}</span>
      <span className="aloud">{tone === "over" ? words.left.overdue : words.left.by(timeText(due))}</span>
    </span>
  );
}

/** `0:42` under ten minutes, then `12m`, `3h`. */
export function countdownText(ms: number): string {
  if (ms >= HOUR) return elapsedText(0, ms);
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (ms >= 2 * SOON_MS) return elapsedText(0, ms);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
