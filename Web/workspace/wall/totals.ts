/** The figures of the wall: sums over all queues, shares, and the order of people. Pure. */
import type { Presence, QueueStanding, Standing, Wall } from "../../client/agent/people";
import type { InboxRow } from "../../client/conversation/events";

export interface Totals extends Omit<QueueStanding, "skill"> {
  /** Load and capacity of those who are there, in thousandths. */
  readonly load: number;
  readonly capacity: number;
}

/** The sums over all queues. A person with two skills counts once. */
export function totals({ skills, people }: Wall): Totals {
  const all = (of: (line: QueueStanding) => number): number => skills.reduce((sum, line) => sum + of(line), 0);
  const there = people.filter(({ presence }) => presence.state === "online" || presence.state === "occupied");
  const oldest = skills.flatMap((line) => (line.oldest === undefined ? [] : [line.oldest]));
  return {
    queued: all((line) => line.queued),
    unplayed: all((line) => line.unplayed),
    assigned: all((line) => line.assigned),
    overdue: all((line) => line.overdue),
    closed: all((line) => line.closed),
    satisfied: all((line) => line.satisfied),
    rated: all((line) => line.rated),
    answered: all((line) => line.answered),
    kept: all((line) => line.kept),
    broken: all((line) => line.broken),
    online: people.filter(({ presence }) => presence.state === "online").length,
    load: there.reduce((sum, { load }) => sum + load, 0),
    capacity: there.reduce((sum, { capacity }) => sum + capacity * 1000, 0),
    ...(oldest.length === 0 ? {} : { oldest: Math.min(...oldest) }),
  };
}

/** Satisfied ratings in percent; `undefined` without ratings. */
export const csat = ({ satisfied, rated }: Pick<QueueStanding, "satisfied" | "rated">): number | undefined =>
  rated === 0 ? undefined : Math.round((satisfied / rated) * 100);

/** The promised times whose outcome is known: those of answers, and those that have passed without an answer. */
export const promises = ({ answered, broken }: Pick<QueueStanding, "answered" | "broken">): number => answered + broken;

/** The share of promised times that were kept, in percent; `undefined` where none was promised. */
export function promisesKept(line: Pick<QueueStanding, "kept" | "answered" | "broken">): number | undefined {
  const all = promises(line);
  // Only all of them are 100 %.
  return all === 0 ? undefined : Math.floor((line.kept / all) * 100);
}

/** Load in percent of capacity; more than 100 with slack, 100 for any load without capacity. */
export const fullness = (
  load: number,
  capacity: number,
): number => (capacity <= 0 ? (load > 0 ? 100 : 0) : Math.round((load / capacity) * 100));

const ORDER: Readonly<Record<Presence, number>> = { online: 0, occupied: 1, away: 2, offline: 3 };

/** People sorted by presence, then by workload. */
export function sortedPeople(people: readonly Standing[]): readonly Standing[] {
  return [...people].sort((a, b) =>
    ORDER[a.presence.state] - ORDER[b.presence.state] ||
    fullness(b.load, b.capacity * 1000) - fullness(a.load, a.capacity * 1000) || a.name.localeCompare(b.name)
  );
}

export type QueueProblem = "late" | "alone" | undefined;

/** What is wrong with a queue: overdue conversations, or no agent online for those waiting. */
export function queueProblem({ overdue, queued, online }: QueueStanding): QueueProblem {
  if (overdue > 0) return "late";
  return queued > 0 && online === 0 ? "alone" : undefined;
}

/** A running time: `0:07`, `4:12`, `1:02:33`. */
export function stopwatchText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** How long a person has been in a state, in whole minutes: `13 min`, `1 h 18 min`. */
export function timeInStateText(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The call that people are in, in this conversation. An invitation is none yet. */
export const callUnderWay = ({ routing }: InboxRow): { agent: string; since: number } | undefined =>
  routing?.call?.since === undefined ? undefined : { agent: routing.call.agent, since: routing.call.since };

/** The figures whose conversations can be listed. */
export const FIGURES = ["queued", "unplayed", "assigned", "overdue", "closed", "agent"] as const;
export type Figure = (typeof FIGURES)[number];

/** The hash of the list of conversations behind a figure: of a skill, of an agent, or of all. */
export const drillDownPath = (show: Figure, of: string | undefined): string =>
  `#/wall/${encodeURIComponent(of ?? "all")}/${show}`;

/** The conversations behind a figure, those with the least time left first. */
export function conversationsBehind(
  rows: readonly InboxRow[],
  of: string,
  show: Figure,
  now: number,
): readonly InboxRow[] {
  const due = (row: InboxRow): number => row.routing?.due ?? Infinity;
  const mine = rows.filter((row) =>
    (show === "agent" ? row.to === of : of === "all" || row.routing?.skill === of) && shows(row, show, now)
  );
  return mine.sort((
    a,
    b,
  ) => (show === "closed" ? b.at - a.at : due(a) - due(b) || (a.since ?? a.at) - (b.since ?? b.at)));
}

function shows(row: InboxRow, show: Figure, now: number): boolean {
  switch (show) {
    case "queued":
      return row.status === "waiting";
    case "assigned":
    case "agent":
      return row.status === "open";
    case "unplayed":
      return row.status !== "closed" && !!row.unplayed;
    case "overdue":
      return row.status !== "closed" && row.routing?.due !== undefined && row.routing.due <= now;
    case "closed":
      return row.status === "closed";
  }
}
