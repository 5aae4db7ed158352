/** Dates and times as the reader's own language writes them. */
import { strings } from "./strings";

const time = new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long" });

export const timeText = (at: number): string => time.format(at);

/** The calendar day of a time, as a name that is the same all day. */
export const dayOf = (at: number): string => new Date(at).toDateString();

export function dayText(at: number): string {
  const now = Date.now();
  if (dayOf(at) === dayOf(now)) return strings.today;
  return dayOf(at) === dayOf(now - 24 * 3600 * 1000) ? strings.yesterday : day.format(at);
}
