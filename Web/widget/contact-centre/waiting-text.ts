/** What a consumer who waits reads, in the header and under the messages. Each fact is in one of the two only. */
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

/** What is known at a moment. */
export interface Waiting {
  readonly expected?: Expectation | undefined;
  readonly promise?: Promised | undefined;
  /** The agent who answers; `undefined`: the conversation waits in a queue. */
  readonly agent?: string | undefined;
}

/** The name of who answers now: not always who joined last. */
export function agentOf(
  events: ConsumerState["timeline"]["events"], people: ConsumerState["timeline"]["people"],
): string {
  const to = events.reduce((by, { content }) => (content.kind === "assigned" ? content.to : by), 0);
  return people.find(({ by }) => by === to)?.name || contactCentreStrings.somebody;
}

/**
 * The header names who answers, or else says what to expect. Under the messages stands what to expect of a named
 * agent, or else the place in the queue.
 */
export function wordsOf({ expected, promise, agent }: Waiting, now: number): Words {
  if (promise) return { head: promiseText(promise, now) };
  if (agent !== undefined) return said(
    fill(contactCentreStrings.chatting, { name: agent }), expected && answerText(expected, now),
  );
  return expected ? said(queueText(expected, now), placeText(expected)) : {};
}

const said = (head: string | undefined, line: string | undefined): Words => ({
  ...(head === undefined ? {} : { head }), ...(line === undefined ? {} : { line }),
});

function promiseText({ name, until }: Promised, now: number): string {
  return fill(
    contactCentreStrings.promise,
    { name: name || contactCentreStrings.somebody, by: momentText(until, now, contactCentreStrings.by) },
  );
}

/** By when there is an answer, and that it is late. */
function answerText({ by, late }: Expectation, now: number): string | undefined {
  const next = by !== undefined && by > now ? fill(
    contactCentreStrings.answer, { by: momentText(by, now, contactCentreStrings.by) },
  ) : undefined;
  if (!late && (by === undefined || next)) return next;
  return next ? `${contactCentreStrings.laterThanSaid}. ${next}` : contactCentreStrings.late;
}

/** What to expect while nobody has taken it. */
function queueText(expected: Expectation, now: number): string | undefined {
  const { hours, open } = expected;
  const answer = answerText(expected, now);
  if (!hours.open && !expected.late) return hours.opens === undefined ? contactCentreStrings.closedNow : fill(
    contactCentreStrings.back, { at: momentText(hours.opens, now, contactCentreStrings.at) },
  );
  if (open || expected.late) return answer;
  return `${contactCentreStrings.nobody} ${answer ?? contactCentreStrings.answerLater}`;
}

function placeText({ position, open }: Expectation): string | undefined {
  if (position === undefined || !open) return undefined;
  return position === 1 ? contactCentreStrings.next : fill(contactCentreStrings.place, { position });
}

/** The system line of an agent who left. */
export function noticeText({ name, content }: LaterRow): string {
  if (content.kind === "callRequested") return contactCentreStrings.callWanted;
  return fill(contactCentreStrings.left, { name: name || contactCentreStrings.somebody });
}
