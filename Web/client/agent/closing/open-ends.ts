/** What a conversation still owes its consumer when somebody is about to close it. Pure. */
import type { ConversationEvent, InboxRow, Verdict } from "../../conversation/events";
import { playedBy, verdicts } from "../../conversation/thread";
import type { Timeline } from "../../conversation/timeline";
import { isUnanswered } from "../inbox";

/** What closing would leave undone. Members that are `undefined` are none. */
export interface OpenEnds {
  /** Milliseconds of the consumer's voice messages that no one of the brand has played. */
  readonly unplayedMs: number | undefined;
  /** Until when an agent promised to be back. */
  readonly callback: number | undefined;
  /** Since when the consumer's last words wait, and when an answer is due. */
  readonly unanswered: { readonly since: number; readonly due: number | undefined } | undefined;
  /** There is a call, which closing ends. */
  readonly call: true | undefined;
}

/** What closing this conversation would leave undone; `undefined`: nothing. */
export function openEnds(row: InboxRow | undefined): OpenEnds | undefined {
  if (row === undefined || row.status === "closed") return undefined;
  const { unplayed = 0, routing } = row;
  const ends: OpenEnds = {
    unplayedMs: unplayed > 0 ? unplayed : undefined,
    callback: row.status === "open" ? routing?.callback : undefined,
    unanswered: isUnanswered(row) ? { since: row.since, due: routing?.due } : undefined,
    call: routing?.call && true,
  };
  return Object.values(ends).some((end) => end !== undefined) ? ends : undefined;
}

const isPlayable = ({ n, content }: ConversationEvent, verdict: ReadonlyMap<number, Verdict>): boolean =>
  content.kind === "audio" && (content.audio.scan === undefined || verdict.get(n) === "clean");

/** How many of the consumer's voice messages no one of the brand has played, as far as the events are loaded. */
export function unplayedMessages({ events, played }: Timeline): number {
  const verdict = verdicts(events);
  return events.filter(
    (event) => event.by === 1 && isPlayable(event, verdict) && !playedBy(played.get(event.n), 1).listened
  ).length;
}

/** How many messages the consumer wrote since the brand's last one, as far as the events are loaded. */
export function unansweredMessages({ events }: Timeline): number {
  const said = events.filter(({ content: { kind } }) => kind === "text" || kind === "audio").map(({ by }) => by);
  let count = 0;
  while (count < said.length && said[said.length - 1 - count] === 1) count += 1;
  return count;
}
