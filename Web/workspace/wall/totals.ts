/** What a wall adds up: all queues together, shares, and who comes first. Pure. */
import type { Presence, QueueStanding, Standing, Wall } from "../../client/agent/people";
import type { InboxRow } from "../../client/conversation/events";

export interface Totals extends Omit<QueueStanding, "skill"> {
  /** Load and capacity of those who are there, in thousandths. */
  readonly load: number;
  readonly capacity: number;
}

/** Everything together. Somebody with two skills is online once. */
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
    online: people.filter(({ presence }) => presence.state === "online").length,
    load: there.reduce((sum, { load }) => sum + load, 0),
    capacity: there.reduce((sum, { capacity }) => sum + capacity * 1000, 0),
    ...(oldest.length === 0 ? {} : { oldest: Math.min(...oldest) }),
  };
}

/** Satisfied of rated, in percent; nothing where nobody answered. */
export const csat = ({ satisfied, rated }: Pick<QueueStanding, "satisfied" | "rated">): number | undefined =>
  rated === 0 ? undefined : Math.round((satisfied / rated) * 100);

/** Promised times that were kept, in percent; nothing where nobody was promised one. */
export const etaAccuracy = ({ kept, answered }: Pick<QueueStanding, "kept" | "answered">): number | undefined =>
  answered === 0 ? undefined : Math.round((kept / answered) * 100);

/** Load of capacity, in percent. Slack lets it go beyond 100; who takes nothing is full with anything. */
export const fullness = (
  load: number,
  capacity: number,
): number => (capacity <= 0 ? (load > 0 ? 100 : 0) : Math.round((load / capacity) * 100));

const ORDER: Readonly<Record<Presence, number>> = { online: 0, occupied: 1, away: 2, offline: 3 };

/** Who is there comes first; among them the fullest. */
export function sortedPeople(people: readonly Standing[]): readonly Standing[] {
  return [...people].sort((a, b) =>
    ORDER[a.presence.state] - ORDER[b.presence.state] ||
    fullness(b.load, b.capacity * 1000) - fullness(a.load, a.capacity * 1000) || a.name.localeCompare(b.name)
  );
}

export type QueueProblem = "late" | "alone" | undefined;

/** What is wrong with a queue: somebody waits too long, or nobody is there for those who wait. */
export function queueProblem({ overdue, queued, online }: QueueStanding): QueueProblem {
  if (overdue > 0) return "late";
  return queued > 0 && online === 0 ? "alone" : undefined;
}

/** A time that goes on: `0:07`, `4:12`, `1:02:33`. */
export function stopwatchText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const two = (value: number): string => String(value).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** How long somebody is in a state: to the second while that is news, then `1 h 18 min`. */
export function timeInStateText(ms: number): string {
  if (ms < 3_600_000) return stopwatchText(ms);
  const minutes = Math.floor(ms / 60_000);
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** What can be asked of a number: which conversations are behind it. */
export const FIGURES = ["queued", "unplayed", "assigned", "overdue", "closed", "agent"] as const;
export type Figure = (typeof FIGURES)[number];

/** The address of the conversations behind a number: of a skill, of an agent, or of all. */
export const drillDownPath = (show: Figure, of: string | undefined): string =>
  `#/wall/${encodeURIComponent(of ?? "all")}/${show}`;

/** These conversations, those first that have least time left. */
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
      return row.status !== "closed" && row.unplayed > 0;
    case "overdue":
      return row.status !== "closed" && row.routing?.due !== undefined && row.routing.due <= now;
    case "closed":
      return row.status === "closed";
  }
}
