/**
 * The expected reply time for a waiting consumer, in words and in their own time zone. Pure: time, zone and language
 * are arguments.
 */
import type { ConversationEvent, Person } from "./events";
import type { WireExpectation } from "../../protocol/frames";

/**
 * What a consumer who waits may expect (docs/protocol.md section 2). `by` is absent where no time is promised; `late`:
 * an earlier time was promised and passed. `position` (from 1) is absent once an agent has it. `open`: somebody can
 * answer now.
 */
export type Expectation = WireExpectation;

/** An agent's callback: who will be back, and by when. */
export interface Promised {
  readonly name: string;
  readonly until: number;
}

/** The newest callback that is still ahead and was not fulfilled. */
export function promised(
  events: readonly ConversationEvent[], people: readonly Person[], now: number,
): Promised | undefined {
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i];
    const { kind } = event?.content ?? {};
    if (!event || kind === "closed" || kind === "assigned") return undefined;
    if (event.content.kind !== "callback") continue;
    const { until } = event.content;
    return until === undefined || until <= now ? undefined : {
      until, name: people.find(({ by }) => by === event.by)?.name ?? "",
    };
  }
  return undefined;
}

/** The reader's locale and time zone; by default those of the device. */
export interface Reader {
  readonly locale?: string | undefined;
  readonly zone?: string | undefined;
}

/** The texts for a moment: with the time alone today, else with its day. */
export interface MomentWords {
  readonly today: string;
  readonly tomorrow: string;
  readonly day: string;
}

/** `by 08:15`, `by 08:15 tomorrow`, `by 08:15 on Monday`, and further away with the date. */
export function momentText(at: number, now: number, words: MomentWords, { locale, zone }: Reader = {}): string {
  const form = (options: Intl.DateTimeFormatOptions): string => new Intl.DateTimeFormat(
    locale, { timeZone: zone, ...options },
  ).format(at);
  const days = dayNumber(at, zone) - dayNumber(now, zone);
  const far = days < 0 || days > 6;
  const day = days < 2 && !far ? "" : form({ weekday: "long", ...(far ? { day: "numeric", month: "long" } : {}) });
  const text = days === 0 ? words.today : days === 1 ? words.tomorrow : words.day;
  return text.replace("{time}", form({ timeStyle: "short" })).replace("{day}", day);
}

/**
 * The calendar day of a moment in a zone, as a number. Subtraction then counts days, also where a day has 23 or 25
 * hours.
 */
function dayNumber(at: number, zone: string | undefined): number {
  const parts = new Intl.DateTimeFormat(
    "en", { timeZone: zone, year: "numeric", month: "numeric", day: "numeric" },
  ).formatToParts(at);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)?.value);
  return Date.UTC(of("year"), of("month") - 1, of("day")) / 86_400_000;
}
