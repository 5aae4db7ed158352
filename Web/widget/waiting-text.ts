/** What a consumer who waits reads, in the header and under the messages. */
import type { ConsumerState } from "../client/consumer/consumer-state";
import { number } from "../client/core/parse";
import { momentText } from "../client/conversation/waiting";
import type { Expectation, Promised } from "../client/conversation/waiting";
import { fill } from "../voice/ui/strings";
import type { LaterRow } from "./rows";
import { side } from "./contact-centre-strings";

/** In the header, and under the messages. */
export interface Words {
  readonly head?: string;
  readonly line?: string;
}

/** Who answers now: not always who joined last. */
export function headOfOpen(events: ConsumerState["timeline"]["events"], people: ConsumerState["timeline"]["people"]): Words {
  const to = events.reduce((by, { content }) => (content.kind === "assigned" ? content.to : by), 0);
  const name = people.find(({ by }) => by === to)?.name;
  return name ? { head: fill(side.here, { name }) } : {};
}

/** For what is expected, or promised by an agent. */
export function wordsOf(expected: Expectation | undefined, promise: Promised | undefined, now: number): Words {
  const line = expected && lineOf(expected, now);
  const head = promise ? fill(side.promise, { name: promise.name || side.somebody, by: momentText(promise.until, now, side.by) }) : expected && headOf(expected, now);
  return { ...(head === undefined ? {} : { head }), ...(line === undefined ? {} : { line }) };
}

function headOf({ by, open, opens }: Expectation, now: number): string | undefined {
  if (by !== undefined) return by <= now ? side.late : fill(side.answer, { by: momentText(by, now, side.by) });
  if (open) return undefined;
  return opens === undefined ? side.closedNow : fill(side.back, { at: momentText(opens, now, side.at) });
}

function lineOf({ position, open, opens }: Expectation, now: number): string | undefined {
  if (!open) return opens === undefined ? side.closedNow : fill(side.opensAgain, { at: momentText(opens, now, side.at) });
  if (position === undefined) return undefined;
  return position === 1 ? side.next : fill(side.place, { position });
}

export function noticeText({ content, name }: LaterRow, now: number): string {
  const who = name || side.somebody;
  const until = number(content.inside["until"]);
  if (content.kind === "left") return fill(side.left, { name: who });
  return until === undefined ? fill(side.isBack, { name: who }) : fill(side.promise, { name: who, by: momentText(until, now, side.by) });
}
