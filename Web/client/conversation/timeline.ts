/**
 * One conversation as this client holds it: a pure reducer over snapshots, deliveries, pages and answers.
 *
 * Promise: whatever is lost, repeated or reordered in transit, `events` is always a part of the server's log in the
 * server's order, each event once; and everything up to `cursor` that the viewer may see is there (down to the oldest
 * one loaded).
 */
import { statusAfter } from "./events";
import type { ConversationEvent, PlaybackProgress, Mark, Person, Status } from "./events";
import type { Snapshot } from "../core/wire";

/** What this client holds of a conversation. */
export interface Timeline {
  readonly epoch: string;
  readonly status: Status;
  readonly people: readonly Person[];
  readonly marks: readonly Mark[];
  /** Who played how much of a voice message, by its number. */
  readonly played: ReadonlyMap<number, readonly PlaybackProgress[]>;
  /** Ascending by `n`. */
  readonly events: readonly ConversationEvent[];
  /** Everything visible up to here is held: what `hello.after` and `watch.after` say. */
  readonly cursor: number;
  /** The highest number received. Above `cursor` while a gap is open. */
  readonly seen: number;
  /** First event above the topmost hole; 0 while there is none. */
  readonly unsure: number;
  /** Older events exist than the first of these. */
  readonly more: boolean;
}

/** A conversation of which nothing is loaded. */
export const emptyTimeline: Timeline = {
  epoch: "",
  status: "new",
  people: [],
  marks: [],
  played: new Map(),
  events: [],
  cursor: 0,
  seen: 0,
  unsure: 0,
  more: false,
};

/** Takes a snapshot: on top of what is held when it continues the same life of the log, else instead of it. */
export function opened(held: Timeline, epoch: string, snapshot: Snapshot): Timeline {
  const goesOn = !snapshot.fresh && epoch === held.epoch && held.cursor > 0;
  const base = goesOn ? held : emptyTimeline;
  const events = merge(base.events, snapshot.events);
  const seen = Math.max(snapshot.through, newest(events));
  const more = goesOn ? held.more : snapshot.more;
  const people = snapshot.people.reduce(withPerson, base.people);
  const [marks, played] = [merged(base.marks, snapshot.marks), withPlayed(base.played, snapshot.played)];
  return { epoch, status: snapshot.status, people, marks, played, events, cursor: seen, seen, unsure: 0, more };
}

/** Takes a delivery. Events up to `cursor` are dropped; a jump in the numbers opens a hole (see `hole`). */
export function delivered(
  t: Timeline, events: readonly ConversationEvent[], through: number = newest(events),
): Timeline {
  const added = events.filter((event) => event.n > t.cursor).sort((a, b) => a.n - b.n);
  const first = added[0]?.n ?? t.seen + 1;
  return grown(t, added, first > t.seen + 1 ? first : 0, through);
}

/** Takes one's own event, which the server does not repeat to the socket that said it. */
export function said(t: Timeline, event: ConversationEvent): Timeline {
  const oldest = t.events[0]?.n ?? 0;
  if (event.n < oldest && t.more) return t; // Far up in history: the page that holds it will bring it.
  return grown(t, [event], event.n > t.seen + 1 ? event.n : 0, event.n);
}

/** Takes a page of older events, asked for by scrolling up. */
export function paged(t: Timeline, events: readonly ConversationEvent[], more: boolean): Timeline {
  return { ...t, events: merge(t.events, events), more };
}

/**
 * What to ask for to close the hole, or `undefined` when nothing is missing. Numbers that the viewer may not see make
 * harmless holes.
 */
export function hole(t: Timeline): { before: number; limit: number } | undefined {
  if (t.cursor === t.seen || t.unsure === 0) return undefined;
  return { before: t.unsure, limit: Math.min(MOST_EVENTS_A_PAGE, t.unsure - t.cursor - 1) };
}

/** The most events that the server puts into a page. */
export const MOST_EVENTS_A_PAGE = 200;

/** Takes the answer to what `hole` asked. */
export function filled(
  t: Timeline, events: readonly ConversationEvent[], asked: { before: number; limit: number },
): Timeline {
  const next = grown(t, events.filter((event) => event.n > t.cursor), 0, 0);
  if (next.cursor === next.seen || asked.before < next.unsure) return next;
  const lowest = Math.min(...events.map((event) => event.n));
  const reachesDown = events.length < asked.limit || lowest <= t.cursor + 1;
  return reachesDown ? { ...next, cursor: next.seen, unsure: 0 } : { ...next, unsure: lowest };
}

/** Takes watermarks. They only ever rise. */
export function marked(t: Timeline, marks: readonly Mark[]): Timeline {
  return { ...t, marks: merged(t.marks, marks) };
}

/** Takes what was played. It only ever grows, and "listened" stays. */
export function listened(t: Timeline, played: readonly PlaybackProgress[]): Timeline {
  const next = withPlayed(t.played, played);
  return next === t.played ? t : { ...t, played: next };
}

/** The combined watermarks of all other participants: shown under one's own messages. */
export function markOfOthers(t: Timeline, me: number): { delivered: number; read: number } {
  const others = t.marks.filter((mark) => mark.by !== me);
  return { delivered: Math.max(0, ...others.map((m) => m.delivered)), read: Math.max(0, ...others.map((m) => m.read)) };
}

/** The number of the newest event by someone else: one's own events need no receipt. */
export function newsOf({ events, cursor }: Timeline, me: number): number {
  for (let i = events.length - 1; i >= 0; i--) {
    const event = events[i];
    if (event && event.by !== me && event.n <= cursor) return event.n;
  }
  return 0;
}

function grown(t: Timeline, added: readonly ConversationEvent[], openedAt: number, through: number): Timeline {
  const news = added.filter((event) => event.n > t.seen);
  const events = merge(t.events, added);
  const seen = Math.max(t.seen, through, newest(added));
  const unsure = Math.max(t.unsure, openedAt);
  const cursor = unsure === 0 ? seen : contiguous(t.cursor, seen, events);
  const people = added.reduce(
    (all, event) => (event.content.kind === "joined" ? withPerson(all, { by: event.by, ...event.content }) : all),
    t.people,
  );
  const status = news.reduce((s, event) => statusAfter(s, event.content), t.status);
  return { ...t, status, people, events, seen, cursor, unsure: cursor === seen ? 0 : unsure };
}

/**
 * Moves the cursor over numbers that follow one another; over the last one held it reaches what the server vouched for.
 */
function contiguous(cursor: number, seen: number, events: readonly ConversationEvent[]): number {
  let at = cursor;
  for (const event of events) {
    if (event.n <= at) continue;
    if (event.n !== at + 1) return at;
    at = event.n;
  }
  return at === newest(events) ? seen : at;
}

const newest = (events: readonly ConversationEvent[]): number => events[events.length - 1]?.n ?? 0;

function merge(held: readonly ConversationEvent[], added: readonly ConversationEvent[]): readonly ConversationEvent[] {
  const byNumber = new Map(held.map((event) => [event.n, event]));
  const news = added.filter((event) => !byNumber.has(event.n));
  if (news.length === 0) return held;
  for (const event of news) byNumber.set(event.n, event);
  return [...byNumber.values()].sort((a, b) => a.n - b.n);
}

function withPerson(people: readonly Person[], { by, role, name, id }: Person): readonly Person[] {
  return [...people.filter((person) => person.by !== by), { by, role, name, ...(id === undefined ? {} : { id }) }];
}

function merged(held: readonly Mark[], added: readonly Mark[]): readonly Mark[] {
  const byWhom = new Map(held.map((mark) => [mark.by, mark]));
  for (const { by, delivered: d, read: r } of added) {
    const old = byWhom.get(by);
    byWhom.set(by, { by, delivered: Math.max(d, r, old?.delivered ?? 0), read: Math.max(r, old?.read ?? 0) });
  }
  return [...byWhom.values()];
}

function withPlayed(
  held: ReadonlyMap<number, readonly PlaybackProgress[]>, added: readonly PlaybackProgress[],
): ReadonlyMap<number, readonly PlaybackProgress[]> {
  if (added.length === 0) return held;
  const next = new Map(held);
  for (const { n, by, percent, listened } of added) {
    const others = next.get(n) ?? [];
    const old = others.find((one) => one.by === by);
    const grown = {
      n, by, percent: Math.max(percent, old?.percent ?? 0), listened: listened || old?.listened === true,
    };
    next.set(n, [...others.filter((one) => one !== old), grown]);
  }
  return next;
}
