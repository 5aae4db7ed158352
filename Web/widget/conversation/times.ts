/** Dates and times as the reader's own language writes them. */
import { strings } from "../strings";

/** The calendar day of a time, as a name that stays the same all day. */
export const dayOf = (at: number): string => new Date(at).toDateString();

/**
 * Formats times. Its formatters are created at first use: each costs milliseconds, and an empty conversation needs
 * none.
 */
export class TimeFormat {
  #time: Intl.DateTimeFormat | undefined;
  #day: Intl.DateTimeFormat | undefined;

  /** The time of day. */
  time(at: number): string {
    this.#time ??= new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
    return this.#time.format(at);
  }

  /** "Today", "Yesterday", or weekday and date. */
  day(at: number): string {
    const now = Date.now();
    if (dayOf(at) === dayOf(now)) return strings.today;
    if (dayOf(at) === dayOf(now - 24 * 3600 * 1000)) return strings.yesterday;
    this.#day ??= new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
    return this.#day.format(at);
  }
}
