/**
 * What a person sees of a conversation: rows for a list, made from the timeline and the outbox. Pure, so that widget and
 * workspace show the same truth.
 */
import type { AudioContent, ConversationEvent, Person } from "./events";
import type { Entry } from "./outbox";
import { markOfOthers } from "./timeline";
import type { Timeline } from "./timeline";

/** How far one's own message came. `waiting`: written down, not out, for lack of a connection. */
export type Delivery = "waiting" | "sending" | "sent" | "delivered" | "read" | "failed";

export type Spoken = { readonly kind: "text"; readonly text: string } | { readonly kind: "audio"; readonly audio: AudioContent };

export interface Bubble {
  readonly row: "bubble";
  /** Stable for as long as this list lives, also when a sent one turns into an event. */
  readonly id: string;
  /** Sequence, or 0 while it has none. */
  readonly n: number;
  readonly at: number;
  readonly by: number;
  readonly own: boolean;
  readonly name: string;
  readonly said: Spoken;
  /** First and last of a run by the same participant within a few minutes. */
  readonly first: boolean;
  readonly last: boolean;
  /** Only for own ones. */
  readonly delivery?: Delivery;
  /** Key and reason of a failed one. */
  readonly failed?: { readonly key: string; readonly code: string; readonly text: string };
}

/** What is told in the middle of a conversation. `assigned` only where the viewer asks for it: to a consumer, who joined says enough. */
export type Notice = "joined" | "assigned" | "closed" | "resumed";

export type Row =
  | { readonly row: "day"; readonly id: string; readonly at: number }
  | { readonly row: "notice"; readonly id: string; readonly at: number; readonly what: Notice; readonly by: number; readonly name: string }
  | Bubble;

/** A pause longer than this starts a new run of bubbles. */
export const RUN_ENDS_AFTER_MS = 5 * 60_000;

export interface ThreadView {
  readonly me: number;
  readonly online: boolean;
  /** Which calendar day a time falls on, for this person: an argument, because a test has its own time zone. */
  readonly dayOf: (at: number) => string;
  /** The key under which an event was said here, if it was: keeps a bubble's id when it turns from pending into sent. */
  readonly keyOf?: (n: number) => string | undefined;
  /** Shows assignments too. Agents want them. */
  readonly assignments?: boolean;
}

/** The rows, oldest first. */
export function thread(timeline: Timeline, pending: readonly Entry[], view: ThreadView): Row[] {
  const mark = markOfOthers(timeline, view.me);
  const spoken = timeline.events.flatMap((event) => eventRow(event, timeline.people, mark, view));
  const waiting = unclaimed(timeline, pending, view.me).flatMap((entry) => entryRow(entry, view));
  return withDays(withRuns([...spoken, ...waiting]), view.dayOf);
}

function eventRow(event: ConversationEvent, people: readonly Person[], mark: { delivered: number; read: number }, view: ThreadView): Row[] {
  const { n, at, by, content } = event;
  const name = people.find((person) => person.by === by)?.name ?? "";
  if (content.kind === "joined" || content.kind === "closed" || content.kind === "resumed") {
    return [{ row: "notice", id: `n${n}`, at, what: content.kind, by, name: content.kind === "joined" ? content.name : name }];
  }
  if (content.kind === "assigned" && view.assignments) {
    const to = people.find((person) => person.by === content.to)?.name ?? "";
    return [{ row: "notice", id: `n${n}`, at, what: "assigned", by: content.to, name: to }];
  }
  if (content.kind !== "text" && content.kind !== "audio") return [];
  const own = by === view.me;
  const delivery: Delivery = n <= mark.read ? "read" : n <= mark.delivered ? "delivered" : "sent";
  const id = (own ? view.keyOf?.(n) : undefined) ?? `n${n}`;
  return [{ row: "bubble", id, n, at, by, own, name, said: content, first: true, last: true, ...(own ? { delivery } : {}) }];
}

function entryRow(entry: Entry, view: ThreadView): Row[] {
  const { key, at, command, refused } = entry;
  if (command.kind !== "text" && command.kind !== "audio") return [];
  const delivery: Delivery = refused ? "failed" : view.online ? "sending" : "waiting";
  const failed = refused ? { failed: { key, ...refused } } : {};
  return [{ row: "bubble", id: key, n: 0, at, by: view.me, own: true, name: "", said: command, first: true, last: true, delivery, ...failed }];
}

/**
 * Entries whose event is not in the timeline yet. After a lost answer the snapshot brings the event before the server
 * repeats its `ok`: for that moment the entry is hidden, so that nobody sees the message twice.
 */
function unclaimed(timeline: Timeline, pending: readonly Entry[], me: number): readonly Entry[] {
  const claimed = new Set<number>();
  return pending.filter((entry) => {
    const { sentAfter, command, refused } = entry;
    if (sentAfter === undefined || refused) return true;
    const event = timeline.events.find((e) => e.by === me && e.n > sentAfter && !claimed.has(e.n) && isSame(e, command));
    if (event) claimed.add(event.n);
    return !event;
  });
}

function isSame(event: ConversationEvent, command: Entry["command"]): boolean {
  const { content } = event;
  if (content.kind === "text") return command.kind === "text" && command.text === content.text;
  return content.kind === "audio" && command.kind === "audio" && command.audio.media === content.audio.media;
}

function withRuns(rows: Row[]): Row[] {
  const joined = (a: Row | undefined, b: Row | undefined): boolean =>
    a?.row === "bubble" && b?.row === "bubble" && a.by === b.by && Math.abs(b.at - a.at) < RUN_ENDS_AFTER_MS;
  return rows.map((row, i) => (row.row === "bubble" ? { ...row, first: !joined(rows[i - 1], row), last: !joined(row, rows[i + 1]) } : row));
}

function withDays(rows: Row[], dayOf: (at: number) => string): Row[] {
  return rows.flatMap((row, i): Row[] => {
    const before = rows[i - 1];
    const day = dayOf(row.at);
    if (before && dayOf(before.at) === day) return [row];
    return [{ row: "day", id: `d${day}`, at: row.at }, row];
  });
}
