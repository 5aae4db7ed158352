/** Dates and times as the reader's own language writes them. */
import { strings } from "./strings";

/** Made at the first use: a formatter costs milliseconds, and an empty conversation needs none. */
let time: Intl.DateTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;

export function timeText(at: number): string {
  time ??= new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
  return time.format(at);
}

/** The calendar day of a time, as a name that is the same all day. */
export const dayOf = (at: number): string => new Date(at).toDateString();

export function dayText(at: number): string {
  const now = Date.now();
  if (dayOf(at) === dayOf(now)) return strings.today;
  if (dayOf(at) === dayOf(now - 24 * 3600 * 1000)) return strings.yesterday;
  day ??= new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });
  return day.format(at);
}
