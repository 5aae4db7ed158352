/** What the header says before the first message: that somebody is there, or until when it is closed. */
import { availability } from "../../client/consumer/availability";
import type { Availability, Whereabouts } from "../../client/consumer/availability";
import { systemClock } from "../../client/core/browser";
import { momentText } from "../../client/conversation/waiting";
import { fill } from "../../voice/ui/strings";
import { contactCentreStrings } from "./contact-centre-strings";

/** How long an answer is shown before the server is asked again. */
export const ASK_AGAIN_MS = 60_000;

/** Asks for the availability when the widget is opened, and once a minute while it is open and in view. */
export class Outlook {
  readonly #where: Whereabouts;
  #told: Availability | undefined;
  #askedAt: number | undefined;
  /** An answer grew old out of view: the server is asked once the widget is looked at again. */
  #unseen = false;

  constructor(where: Whereabouts) {
    this.#where = where;
  }

  /** When the server is to be asked again. */
  get again(): number | undefined {
    return this.#askedAt === undefined ? undefined : this.#askedAt + ASK_AGAIN_MS;
  }

  /** The text, as far as it is known. `changed` is called when an answer came. */
  text(changed: () => void): string | undefined {
    const now = systemClock.now();
    if ((this.again ?? 0) <= now) {
      if (document.visibilityState === "visible") this.#ask(now, changed);
      else this.#askInView(changed);
    }
    return this.#told && outlookText(this.#told, now);
  }

  #ask(now: number, changed: () => void): void {
    this.#askedAt = now;
    availability((url, init) => fetch(url, init), this.#where).then(
      (told) => {
        this.#told = told;
        changed();
      },
      // The header keeps what it says. The next question is a minute away.
      () => {},
    );
  }

  #askInView(changed: () => void): void {
    if (this.#unseen) return;
    this.#unseen = true;
    const seen = (): void => {
      this.#unseen = false;
      changed();
    };
    document.addEventListener("visibilitychange", seen, { once: true });
  }
}

/** The sentence for an answer. */
export function outlookText({ open, hours, within }: Availability, now: number): string {
  const { closedUntil, until, leave, nobody, closedNow, here, hereWithin } = contactCentreStrings;
  if (!hours.open) {
    const closed = hours.opens === undefined ? `${closedNow}.` : fill(
      closedUntil, { until: momentText(hours.opens, now, until) },
    );
    return `${closed} ${leave}`;
  }
  if (!open) return `${nobody} ${leave}`;
  return within === undefined ? here : fill(hereWithin, { time: spanText(within) });
}

/** A span as the reader's language writes it, rounded up to minutes or hours. */
function spanText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const [unit, count] = minutes < 60 ? ["minute", minutes] : ["hour", Math.ceil(minutes / 60)];
  const form = { style: "unit", unit: String(unit), unitDisplay: "long" } as const;
  return new Intl.NumberFormat(undefined, form).format(Number(count));
}
