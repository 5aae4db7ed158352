/** What a consumer who waits reads, in the header and under the messages. */
import type { ConsumerState } from "../../client/consumer/consumer-state";
import { momentText } from "../../client/conversation/waiting";
import type { Expectation, Promised } from "../../client/conversation/waiting";
import { fill } from "../../voice/ui/strings";
import type { LaterRow } from "../conversation/rows";
import { contactCentreStrings } from "./contact-centre-strings";

/** In the header, and under the messages. */
export interface Words {
  readonly head?: string;
  readonly line?: string;
}

/** Who answers now: not always who joined last. */
export function headOfOpen(
  events: ConsumerState["timeline"]["events"], people: ConsumerState["timeline"]["people"],
): Words {
  const to = events.reduce((by, { content }) => (content.kind === "assigned" ? content.to : by), 0);
  const name = people.find(({ by }) => by === to)?.name;
  return name ? { head: fill(contactCentreStrings.here, { name }) } : {};
}

/** For what is expected, or promised by an agent. */
export function wordsOf(expected: Expectation | undefined, promise: Promised | undefined, now: number): Words {
  const line = expected && lineOf(expected, now);
  const head = promise ? fill(
    contactCentreStrings.promise,
    {
      name: promise.name || contactCentreStrings.somebody, by: momentText(promise.until, now, contactCentreStrings.by),
    },
  ) : expected && headOf(expected, now);
  return { ...(head === undefined ? {} : { head }), ...(line === undefined ? {} : { line }) };
}

function headOf({ by, open, opens }: Expectation, now: number): string | undefined {
  if (by !== undefined) return by <= now ? contactCentreStrings.late : fill(
    contactCentreStrings.answer, { by: momentText(by, now, contactCentreStrings.by) },
  );
  if (open) return undefined;
  return opens === undefined ? contactCentreStrings.closedNow : fill(
    contactCentreStrings.back, { at: momentText(opens, now, contactCentreStrings.at) },
  );
}

function lineOf({ position, open, opens }: Expectation, now: number): string | undefined {
  if (!open) return opens === undefined ? contactCentreStrings.closedNow : fill(
    contactCentreStrings.opensAgain, { at: momentText(opens, now, contactCentreStrings.at) },
  );
  if (position === undefined) return undefined;
  return position === 1 ? contactCentreStrings.next : fill(contactCentreStrings.place, { position });
}

/** The system line of an agent who left or will be back. */
export function noticeText({ content, name }: LaterRow, now: number): string {
  const who = name || contactCentreStrings.somebody;
  if (content.kind !== "callback") return fill(contactCentreStrings.left, { name: who });
  const { until } = content;
  return until === undefined ? fill(contactCentreStrings.isBack, { name: who }) : fill(
    contactCentreStrings.promise, { name: who, by: momentText(until, now, contactCentreStrings.by) },
  );
}
