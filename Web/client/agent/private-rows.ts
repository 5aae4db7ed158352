/**
 * The rows of a conversation that only the people of the brand see: private notes, what routing did, promises and the
 * survey. Pure.
 */
import type { AudioContent, ConversationEvent } from "../conversation/events";
import type { Entry } from "../core/outbox";
import { isObject, list, string } from "../core/parse";
import { thread, type OtherRow, type Row, type ThreadView } from "../conversation/thread";
import type { Timeline } from "../conversation/timeline";

/** A private note. `key`: not stored yet. */
export interface NoteRow extends OtherRow {
  readonly row: "note";
  readonly n: number;
  readonly by: number;
  readonly name: string;
  readonly text?: string;
  readonly audio?: AudioContent;
  readonly mentions: readonly string[];
  readonly pending?: true;
}

/** A system line: something that happened. */
export interface SystemLineRow extends OtherRow {
  readonly row: "system";
  readonly by: number;
  readonly name: string;
  readonly event: ConversationEvent;
  /** How often the same thing happened in a row; `at` is the last time. Absent: once. */
  readonly times?: number;
}

/** The consumer's answer to the survey. */
export interface RatedRow extends OtherRow {
  readonly row: "rated";
  readonly n: number;
  readonly csat?: number;
  readonly nps?: number;
  readonly text?: string;
  readonly audio?: AudioContent;
}

/** Any row of an agent's conversation. */
export type AgentRow = Row | NoteRow | SystemLineRow | RatedRow;

/** All rows as an agent sees them, oldest first; notes that are not stored yet come last. */
export function agentRows(
  timeline: Timeline, pending: readonly Entry[], view: Omit<ThreadView, "others" | "assignments">,
): readonly AgentRow[] {
  const events = timeline.events.filter(({ content }) => !(content.kind === "joined" && content.quiet));
  const rows = thread<NoteRow | SystemLineRow | RatedRow>(events.length === timeline.events.length ? timeline : {
    ...timeline, events,
  }, pending, {
    ...view, assignments: true, others: othersOf,
  });
  return [...collapsed(rows), ...pending.flatMap((entry) => pendingNote(entry, timeline, view.me))];
}

const told: readonly string[] = [
  "queued", "declined", "left", "callback", "surveyed", "tagged", "attribute", "disposed", "urgent", "settled",
  "callInvited", "callEnded", "callRequested",
];

/** Offers that nobody answered, one after the other: one row for each agent, with their number and the last time. */
function collapsed(rows: readonly AgentRow[]): readonly AgentRow[] {
  const kept: AgentRow[] = [];
  let run = new Map<string, number>();
  for (const row of rows) {
    const agents = unansweredOffer(row);
    if (agents === undefined) run = new Map();
    const at = agents === undefined ? undefined : run.get(agents);
    const same = at === undefined ? undefined : kept[at];
    if (at !== undefined && same?.row === "system") {
      kept[at] = { ...same, at: row.at, times: (same.times ?? 1) + 1 };
      continue;
    }
    if (agents !== undefined) run.set(agents, kept.length);
    kept.push(row);
  }
  return kept;
}

function unansweredOffer(row: AgentRow): string | undefined {
  if (row.row !== "system" || row.event.content.kind !== "declined" || row.event.content.said) return undefined;
  return row.event.content.agents.join(" ");
}

function othersOf(event: ConversationEvent, name: string): readonly (NoteRow | SystemLineRow | RatedRow)[] {
  const { n, at, by, content } = event;
  const id = `n${n}`;
  if (content.kind === "note") {
    const { kind: _, ...inside } = content;
    return [{ row: "note", id, at, n, by, name, ...inside }];
  }
  if (content.kind === "rated") {
    const { kind: _, ...inside } = content;
    return [{ row: "rated", id, at, n, ...inside }];
  }
  return told.includes(content.kind) ? [{ row: "system", id, at, by, name, event }] : [];
}

/** A note in flight. Its event may arrive before its answer: then it is not shown twice. */
function pendingNote({ key, at, command, sentAfter }: Entry, { events }: Timeline, me: number): readonly NoteRow[] {
  const note = command.kind === "ask" ? command.ask["note"] : undefined;
  if (!isObject(note)) return [];
  const text = string(note["text"]);
  const here = events.some(
    ({ n, by, content }) => by === me && n > (sentAfter ?? Infinity) && content.kind === "note" && content.text === text
  );
  if (here || text === undefined) return [];
  return [
    { row: "note", id: key, at, n: 0, by: me, name: "", text, mentions: list(note["mentions"], string), pending: true },
  ];
}
