/** Whether opening hours are open at a moment and when that changes, in their own time zone. Pure. */
import type { Hours, Span } from "../settings-model";

const MINUTE = 60_000;
/** How many days ahead an opening is searched for. */
const DAYS = 60;

export interface Opening {
  readonly open: boolean;
  /** When it closes or opens next; absent if neither happens within two months. */
  readonly next?: number;
}

/** The wall-clock time in a time zone. */
export interface WallClock {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly minute: number;
}

export function wallClock(at: number, zone: string): WallClock {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return { year: of("year"), month: of("month"), day: of("day"), minute: of("hour") * 60 + of("minute") };
}

/** The moment at which a zone's clock shows this. A skipped time is later by the gap; a repeated one is the first. */
export function momentOf({ year, month, day, minute }: WallClock, zone: string): number {
  const guess = Date.UTC(year, month - 1, day) + minute * MINUTE;
  const offset = (at: number): number => {
    const clock = wallClock(at, zone);
    return Date.UTC(clock.year, clock.month - 1, clock.day) + clock.minute * MINUTE - Math.floor(at / MINUTE) * MINUTE;
  };
  const [before, after] = [guess - offset(guess - 86_400_000), guess - offset(guess + 86_400_000)];
  const fits = [before, after].filter((at) => at + offset(at) === guess);
  return fits.length > 0 ? Math.min(...fits) : Math.max(before, after);
}

/** The opening periods of the day `ahead` days later. */
function spansOf(
  hours: Hours,
  clock: WallClock,
  ahead: number,
): { readonly date: Date; readonly spans: readonly Span[] } {
  const date = new Date(Date.UTC(clock.year, clock.month - 1, clock.day + ahead));
  const name = date.toISOString().slice(0, 10);
  const holiday = hours.holidays.find((one) => one.date === name);
  const weekday = date.getUTCDay() === 0 ? 7 : date.getUTCDay();
  return { date, spans: holiday ? holiday.open : hours.week.filter(({ day }) => day === weekday) };
}

export function opening(hours: Hours, now: number): Opening {
  const clock = wallClock(now, hours.zone);
  // From yesterday: nothing reaches over midnight, but what ends at midnight goes on with what begins there.
  const spans = Array.from({ length: DAYS }, (_, ahead) => spansOf(hours, clock, ahead)).flatMap(
    ({ date, spans: list }) => {
      const moment = (minute: number): number =>
        momentOf(
          { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), minute },
          hours.zone,
        );
      return list.map(({ from, to }) => ({ from: moment(from), to: moment(to) }));
    },
  ).filter(({ from, to }) => to > now && to > from).sort((a, b) => a.from - b.from);
  const first = spans[0];
  if (first === undefined) return { open: false };
  if (first.from > now) return { open: false, next: first.from };
  const joined = spans.reduce((end, { from, to }) => (from <= end ? Math.max(end, to) : end), first.to);
  return joined - now > (DAYS - 2) * 86_400_000 ? { open: true } : { open: true, next: joined };
}

/** `8`, `8:30`, `0830`, `8.30`, `24:00`, `8 pm`: minutes since midnight. */
export function parsedTime(text: string): number | undefined {
  const match = /^(\d{1,2})(?:[:.h]?(\d{2}))?\s*(am|pm)?$/iu.exec(text.trim());
  if (!match) return undefined;
  const [, h = "", m = "0", half] = match;
  const hour = half === undefined ? Number(h) : (Number(h) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
  const minutes = hour * 60 + Number(m);
  return Number(m) > 59 || minutes > 1440 ? undefined : minutes;
}

export const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** The places of special days in a list, in the order of their dates. */
export const dateOrder = (holidays: Hours["holidays"]): readonly number[] =>
  holidays.map(({ date }, place) => ({ date, place })).sort((a, b) => a.date < b.date ? -1 : a.date > b.date ? 1 : 0)
    .map(({ place }) => place);
