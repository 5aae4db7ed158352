/** One conversation as an agent's page holds it: the timeline, and how current it is. Pure. */

import {
  delivered, emptyTimeline, filled, hole, listened, marked, MOST_EVENTS_A_PAGE, opened, paged, said,
} from "../conversation/timeline";
import type { Timeline } from "../conversation/timeline";
import type { Card, ConversationEvent, PlaybackProgress } from "../conversation/events";
import type { Snapshot } from "../core/wire";

/** What agents recorded about a conversation, as it is now: also where the events are not loaded. */
export interface Recorded {
  /** The values of the attributes, by name. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The id of the wrap-up code. */
  readonly disposition?: string | undefined;
}

/** Events in a page of older history. */
export const PAGE_SIZE = 50;

/** A page that was asked for: older history, or what is missing in the middle. */
export interface Asked {
  readonly before: number;
  readonly limit: number;
  readonly fills: boolean;
}

/**
 * A conversation that is watched. `stale`: shown from memory until its watch is confirmed. `gone`: the server will not
 * show it.
 */
export interface Thread {
  readonly c: string;
  readonly phase: "loading" | "stale" | "live" | "gone";
  readonly who: Card | undefined;
  readonly timeline: Timeline;
  readonly recorded: Recorded;
  readonly asked: Asked | undefined;
  /** Participants that type right now. */
  readonly typing: readonly number[];
}

/** A conversation before its snapshot arrived. */
export function emptyThread(c: string): Thread {
  const recorded = { attributes: new Map() };
  return { c, phase: "loading", who: undefined, timeline: emptyTimeline, recorded, asked: undefined, typing: [] };
}

/** The connection broke: what is here can be read, and waits to be confirmed. */
export function staled(thread: Thread): Thread {
  return thread.phase === "live" ? { ...thread, phase: "stale", asked: undefined, typing: [] } : thread;
}

/** Takes a snapshot: the conversation is live. */
export function withSnapshot(thread: Thread, epoch: string, who: Card | undefined, snapshot: Snapshot): Thread {
  const timeline = opened(thread.timeline, epoch, snapshot);
  const { attributes = [], disposition } = snapshot.recorded ?? {};
  const recorded = { attributes: new Map(attributes.map(({ name, value }) => [name, value])), disposition };
  return { ...thread, phase: "live", who: who ?? thread.who, timeline, recorded, asked: undefined };
}

/** Takes delivered events. */
export function withDelivery(thread: Thread, events: readonly ConversationEvent[], through?: number): Thread {
  return {
    ...thread, timeline: delivered(thread.timeline, events, through), recorded: events.reduce(record, thread.recorded),
  };
}

function record(recorded: Recorded, { content }: ConversationEvent): Recorded {
  if (content.kind === "disposed") return { ...recorded, disposition: content.id };
  if (content.kind === "resumed") return { ...recorded, disposition: undefined };
  if (content.kind !== "attribute") return recorded;
  const attributes = new Map(recorded.attributes);
  if (content.value === undefined) attributes.delete(content.name);
  else attributes.set(content.name, content.value);
  return { ...recorded, attributes };
}

/** What we said ourselves; the server does not repeat it to the socket that said it. */
export function withOwn(thread: Thread, event: ConversationEvent): Thread {
  return thread.phase === "live" ? { ...thread, timeline: said(thread.timeline, event) } : thread;
}

/** Takes watermarks. */
export function withMarks(thread: Thread, marks: Timeline["marks"]): Thread {
  return { ...thread, timeline: marked(thread.timeline, marks) };
}

/** Takes playback progress. */
export function withPlayed(thread: Thread, played: readonly PlaybackProgress[]): Thread {
  return { ...thread, timeline: listened(thread.timeline, played) };
}

/** Takes a page. A page that was not requested changes nothing. */
export function withPage(thread: Thread, events: readonly ConversationEvent[], more: boolean): Thread {
  const { asked, timeline } = thread;
  if (asked === undefined) return thread;
  const next = asked.fills ? filled(timeline, events, asked) : paged(timeline, events, more);
  return { ...thread, asked: undefined, timeline: next };
}

/** What this thread should request next on its own: a gap in the middle. */
export function missing(thread: Thread): Asked | undefined {
  if (thread.phase !== "live" || thread.asked !== undefined) return undefined;
  const gap = hole(thread.timeline);
  return gap && { ...gap, fills: true };
}

/** What to ask for when a person scrolls up, if there is more. */
export function older(thread: Thread): Asked | undefined {
  const first = thread.timeline.events[0]?.n;
  if (thread.phase !== "live" || thread.asked !== undefined || first === undefined || !thread.timeline.more)
    return undefined;
  return { before: first, limit: Math.min(PAGE_SIZE, MOST_EVENTS_A_PAGE), fills: false };
}

/** The participant that the agent `id` is here, once it has joined. */
export function participant({ timeline }: Thread, id: string): number | undefined {
  const person = timeline.people.find((one) => one.id === id);
  if (person !== undefined) return person.by;
  return timeline.events.find(({ content }) => content.kind === "joined" && content.id === id)?.by;
}

/**
 * Whether the agent `id` takes part visibly: answers, or joined and did not leave. Watching or writing private notes is
 * not taking part. As far as the loaded history shows. In doubt the agent only watches, which does no harm.
 */
export function takesPart(thread: Thread, id: string): boolean {
  const me = participant(thread, id);
  if (me === undefined) return false;
  const { events } = thread.timeline;
  for (let i = events.length - 1; i >= 0; i--) {
    const { by, content } = events[i] as ConversationEvent;
    if (content.kind === "assigned" && content.to === me) return true;
    if (by !== me) continue;
    if (content.kind === "text" || content.kind === "audio") return true;
    if (content.kind === "joined") return content.quiet !== true;
    if (content.kind === "left") return false;
  }
  return false;
}
