import type { ReactElement } from "react";
import { SOON_MS } from "../../client/agent/inbox";
import { elapsedText, timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { texts } from "../i18n/texts";
import { useTicked } from "../app/clock";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The time left until `due`, or how long it is overdue. */
export function Countdown({ due }: { due: number }): ReactElement {
  const said = useTicked((
    now,
  ) => (due <= now
    ? texts.left.over({ time: countdownText(now - due) })
    : texts.left.in({ time: countdownText(due - now) }))
  );
  const tone = useTicked((now) => (due <= now ? "over" : due - now <= SOON_MS ? "soon" : ""));
  return (
    <span className="left" data-tone={tone} title={texts.left.by({ time: timeText(due) })}>
      <Icon name="clock" />
      <span aria-hidden="true">{said}</span>
      <span className="aloud">{tone === "over" ? texts.left.overdue : texts.left.by({ time: timeText(due) })}</span>
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
