/**
 * What a person sees of a conversation: rows for a list, made from the timeline and the outbox. Pure, so that widget
 * and workspace show the same truth.
 */
import type { AudioContent, ConversationEvent, PlaybackProgress, Verdict } from "./events";
import type { Entry } from "../core/outbox";
import { markOfOthers } from "./timeline";
import type { Timeline } from "./timeline";

/** How far one's own message came. `waiting`: written down, not out, for lack of a connection. */
export type Delivery = "waiting" | "sending" | "sent" | "delivered" | "read" | "listened" | "failed";

/** The content of a message. */
export type Spoken =
  { readonly kind: "text"; readonly text: string } | { readonly kind: "audio"; readonly audio: AudioContent };

/** A message. */
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
  /** How far the other side played a voice message. All agents together count as one side. */
  readonly played?: { readonly percent: number; readonly listened: boolean };
  /** A voice message that no one on the viewer's side has listened to, and that can be played. */
  readonly unplayed?: true;
  /** Only for own ones. */
  readonly delivery?: Delivery;
  /** Key and reason of a failed one. */
  readonly failed?: { readonly key: string; readonly code: string; readonly text: string };
}

/**
 * The system lines of a conversation. `assigned` only where the view asks for it: to a consumer, `joined` says enough.
 */
export type Notice = "joined" | "assigned" | "closed" | "resumed" | "reopened";

/** A row that every front end shows. */
export type Row =
  | { readonly row: "day"; readonly id: string; readonly at: number }
  | {
      readonly row: "notice";
      readonly id: string;
      readonly at: number;
      readonly what: Notice;
      readonly by: number;
      readonly name: string;
    }
  | Bubble;

/** A pause longer than this starts a new run of bubbles. */
export const RUN_ENDS_AFTER_MS = 5 * 60_000;

/** A row of which only the front end that shows it knows. */
export interface OtherRow {
  readonly row: string;
  readonly id: string;
  readonly at: number;
}

/** How a front end wants the rows. */
export interface ThreadView<Other extends OtherRow = never> {
  readonly me: number;
  readonly online: boolean;
  /** Which calendar day a time falls on, for this person: an argument, because a test has its own time zone. */
  readonly dayOf: (at: number) => string;
  /**
   * The key under which an event was said here, if it was: keeps a bubble's id when it turns from pending into sent.
   */
  readonly keyOf?: (n: number) => string | undefined;
  /** Shows assignments too. Agents want them. */
  readonly assignments?: boolean;
  /** Rows for what this list makes none of. `name`: of the participant who did it. */
  readonly others?: (event: ConversationEvent, name: string) => readonly Other[];
}

/** The rows, oldest first. */
export function thread<Other extends OtherRow = never>(
  timeline: Timeline, pending: readonly Entry[], view: ThreadView<Other>,
): (Row | Other)[] {
  const mark = markOfOthers(timeline, view.me);
  const verdict = verdicts(timeline.events);
  const spoken = timeline.events.flatMap((event) => eventRow(judged(event, verdict), timeline, mark, view));
  const waiting = unclaimed(timeline, pending, view.me).flatMap((entry) => entryRow(entry, view));
  return withDays(withRuns([...spoken, ...waiting]), view.dayOf);
}

/** The scanner's verdicts on voice messages, by number. */
export function verdicts(events: readonly ConversationEvent[]): ReadonlyMap<number, Verdict> {
  return new Map(
    events.flatMap(({ content }) => (content.kind === "scanned" ? [[content.of, content.verdict] as const] : []))
  );
}

/** A voice message with the scanner's verdict. */
export function judged(event: ConversationEvent, verdicts: ReadonlyMap<number, Verdict>): ConversationEvent {
  const { content } = event;
  const verdict = content.kind === "audio" ? verdicts.get(event.n) : undefined;
  if (content.kind !== "audio" || verdict === undefined) return event;
  const { scan: _, ...audio } = content.audio;
  return { ...event, content: { kind: "audio", audio: verdict === "clean" ? audio : { ...audio, scan: verdict } } };
}

/** How far the other side played a message of `by`. To the consumer all agents are one listener. */
export function playedBy(
  all: readonly PlaybackProgress[] | undefined, by: number,
): { percent: number; listened: boolean } {
  const others = (all ?? []).filter((one) => (one.by === CONSUMER) !== (by === CONSUMER));
  return {
    percent: Math.max(0, ...others.map(({ percent }) => percent)), listened: others.some(({ listened }) => listened),
  };
}

/** The consumer's number in every conversation. */
const CONSUMER = 1;

function eventRow<Other extends OtherRow>(
  event: ConversationEvent, { people, played }: Timeline, mark: { delivered: number; read: number },
  view: ThreadView<Other>,
): readonly (Row | Other)[] {
  const { n, at, by, content } = event;
  const name = people.find((person) => person.by === by)?.name ?? "";
  const { kind } = content;
  if (kind === "joined" || kind === "closed" || kind === "resumed" || kind === "reopened") {
    return [
      { row: "notice", id: `n${n}`, at, what: kind, by, name: content.kind === "joined" ? content.name : name },
    ];
  }
  if (content.kind === "assigned" && view.assignments) {
    const to = people.find((person) => person.by === content.to)?.name ?? "";
    return [{ row: "notice", id: `n${n}`, at, what: "assigned", by: content.to, name: to }];
  }
  if (content.kind === "automatic") return [
    {
      row: "bubble",
      id: `n${n}`,
      n,
      at,
      by,
      own: false,
      name,
      said: { kind: "text", text: content.text },
      first: true,
      last: true,
    },
  ];
  if (content.kind !== "text" && content.kind !== "audio") return view.others?.(event, name) ?? [];
  const own = by === view.me;
  const far = content.kind === "audio" ? playedBy(played.get(n), by) : undefined;
  const delivery: Delivery = far?.listened
    ? "listened"
    : n <= mark.read ? "read" : n <= mark.delivered ? "delivered" : "sent";
  const id = (own ? view.keyOf?.(n) : undefined) ?? `n${n}`;
  const waits = content.kind === "audio" && content.audio.scan === undefined && far?.listened === false
    && (by === CONSUMER) !== (view.me === CONSUMER);
  const marks = {
    ...(own ? { delivery } : {}), ...(far ? { played: far } : {}), ...(waits ? { unplayed: true as const } : {})
  };
  return [{ row: "bubble", id, n, at, by, own, name, said: content, first: true, last: true, ...marks }];
}

function entryRow(entry: Entry, view: { readonly online: boolean; readonly me: number }): Row[] {
  const { key, at, command, refused } = entry;
  if (command.kind !== "text" && command.kind !== "audio") return [];
  const delivery: Delivery = refused ? "failed" : view.online ? "sending" : "waiting";
  const failed = refused ? { failed: { key, ...refused } } : {};
  return [
    {
      row: "bubble",
      id: key,
      n: 0,
      at,
      by: view.me,
      own: true,
      name: "",
      said: command,
      first: true,
      last: true,
      delivery,
      ...failed
    },
  ];
}

/**
 * Entries whose event is not in the timeline yet. After a lost answer the snapshot brings the event before the server
 * repeats its `ok`: for that moment the entry is hidden, so that the message does not appear twice.
 */
function unclaimed(timeline: Timeline, pending: readonly Entry[], me: number): readonly Entry[] {
  const claimed = new Set<number>();
  return pending.filter((entry) => {
    const { sentAfter, command, refused } = entry;
    if (sentAfter === undefined || refused) return true;
    const event = timeline.events.find(
      (e) => e.by === me && e.n > sentAfter && !claimed.has(e.n) && isSame(e, command)
    );
    if (event) claimed.add(event.n);
    return !event;
  });
}

function isSame(event: ConversationEvent, command: Entry["command"]): boolean {
  const { content } = event;
  if (content.kind === "text") return command.kind === "text" && command.text === content.text;
  return content.kind === "audio" && command.kind === "audio" && command.audio.media === content.audio.media;
}

const isBubble = (row: OtherRow | undefined): row is Bubble => row?.row === "bubble";

function withRuns<Other extends OtherRow>(rows: (Row | Other)[]): (Row | Other)[] {
  const joined = (a: OtherRow | undefined, b: OtherRow | undefined): boolean =>
    isBubble(a) && isBubble(b) && a.by === b.by && Math.abs(b.at - a.at) < RUN_ENDS_AFTER_MS;
  return rows.map(
    (row, i) => (isBubble(row) ? { ...row, first: !joined(rows[i - 1], row), last: !joined(row, rows[i + 1]) } : row)
  );
}

function withDays<Other extends OtherRow>(rows: (Row | Other)[], dayOf: (at: number) => string): (Row | Other)[] {
  return rows.flatMap((row, i): (Row | Other)[] => {
    const before = rows[i - 1];
    const day = dayOf(row.at);
    if (before && dayOf(before.at) === day) return [row];
    return [{ row: "day", id: `d${day}`, at: row.at }, row];
  });
}
