import { texts } from "../i18n/texts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The length of a voice message: `0:42`, `12:05`. Rounds to seconds, at least `0:01`. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The time of day, as the reader's language writes it. */
export function timeText(at: number): string {
  return new Intl.DateTimeFormat(undefined, { hour: "numeric", minute: "2-digit" }).format(at);
}

/** Date and time in full, for titles and for screen readers. */
export function dateTimeText(at: number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "short" }).format(at);
}

/** A day: today, yesterday, or its date (with the year where it is not this one). */
export function dayText(at: number, now: number): string {
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0) return texts.time.today;
  if (days === 1) return texts.time.yesterday;
  const year = new Date(at).getFullYear() === new Date(now).getFullYear() ? {} : { year: "numeric" as const };
  return new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", ...year }).format(at);
}

/** When something happened, in as few characters as a row has: a time today, a weekday this week, else a date. */
export function shortTimeText(at: number, now: number): string {
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0) return timeText(at);
  if (days === 1) return texts.time.yesterday;
  if (days < 7) return new Intl.DateTimeFormat(undefined, { weekday: "short" }).format(at);
  return new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" }).format(at);
}

/** How long ago something began: `7m`, `3h`, `2d`. */
export function elapsedText(from: number, now: number, form: "narrow" | "long" = "narrow"): string {
  const ms = Math.max(0, now - from);
  if (ms < MINUTE) return texts.time.now;
  if (ms < HOUR) return unit(Math.floor(ms / MINUTE), "minute", form);
  if (ms < DAY) return unit(Math.floor(ms / HOUR), "hour", form);
  return unit(Math.floor(ms / DAY), "day", form);
}

/** The midnight at which the local day of a time begins. */
export function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** The name of a language tag in the reader's language: `en-GB` is "British English". */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Two letters for an avatar: a person's initials, or the first two characters of a visitor's four-character number. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const last = words[words.length - 1] ?? "";
  if (/^(?=.*\d|[A-Z]{4}$)[0-9A-Za-z]{4}$/u.test(last)) return last.slice(0, 2).toUpperCase();
  const first = [...(words[0] ?? "?")][0] ?? "?";
  const second = words.length > 1 ? [...last][0] ?? "" : "";
  return (first + second).toUpperCase();
}

/** The colour of a name, one of six; always the same for the same name. */
export function tint(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return sum % 6;
}

function unit(count: number, name: "minute" | "hour" | "day", form: "narrow" | "long"): string {
  return new Intl.NumberFormat(undefined, { style: "unit", unit: name, unitDisplay: form }).format(count);
}
