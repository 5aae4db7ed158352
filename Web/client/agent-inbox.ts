/** The agent's inbox: what the server's rows add up to. Pure; the screen and the socket are elsewhere. */
import type { InboxRow } from "./events";

/** The three lists of the inbox. */
export type Tab = "waiting" | "mine" | "all";

/** All rows, and the feed position through which they are complete. */
export interface Inbox {
  readonly rows: ReadonlyMap<string, InboxRow>;
  readonly position: number;
  /** Rows have arrived at least once: an empty list is really empty. */
  readonly loaded: boolean;
}

export const emptyInbox: Inbox = { rows: new Map(), position: 0, loaded: false };

/**
 * Takes rows in. An older row (lower `p`) never replaces a newer one, so that what is repeated or late does no harm.
 * `fresh` forgets what was there: the server has begun a new life of its log, or the cursor was too old.
 */
export function withRows(inbox: Inbox, rows: readonly InboxRow[], position: number, fresh: boolean): Inbox {
  const next = new Map(fresh ? [] : inbox.rows);
  for (const row of rows) {
    const known = next.get(row.c);
    if (known === undefined || known.p <= row.p) next.set(row.c, row);
  }
  return { rows: next, position: fresh ? position : Math.max(inbox.position, position), loaded: true };
}

/** True where `row` stands in `tab` for the agent `me`. */
export function belongs(row: InboxRow, tab: Tab, me: string): boolean {
  switch (tab) {
    case "waiting":
      return row.status === "waiting";
    case "mine":
      return row.status === "open" && row.to === me;
    case "all":
      return row.status !== "new";
  }
}

/** The consumer spoke last and nobody has answered. */
export function isUnanswered(row: InboxRow): boolean {
  return row.status !== "closed" && row.since !== undefined && row.last?.by === 1;
}

/** The rows of a tab in the order of work: who has waited longest comes first, then the newest activity. */
export function listed(inbox: Inbox, tab: Tab, me: string): InboxRow[] {
  const rows = [...inbox.rows.values()].filter((row) => belongs(row, tab, me));
  return rows.sort(tab === "all" ? byActivity : byUrgency);
}

function byUrgency(a: InboxRow, b: InboxRow): number {
  const [urgentA, urgentB] = [isUnanswered(a), isUnanswered(b)];
  if (urgentA !== urgentB) return urgentA ? -1 : 1;
  if (urgentA && a.since !== b.since) return (a.since ?? 0) - (b.since ?? 0);
  return byActivity(a, b);
}

function byActivity(a: InboxRow, b: InboxRow): number {
  return b.at - a.at || (a.c < b.c ? -1 : 1);
}

/** How many conversations stand in each tab. */
export function counts(inbox: Inbox, me: string): Record<Tab, number> {
  const count = { waiting: 0, mine: 0, all: 0 };
  for (const row of inbox.rows.values()) {
    for (const tab of ["waiting", "mine", "all"] as const) if (belongs(row, tab, me)) count[tab] += 1;
  }
  return count;
}

/** What the page's title counts: conversations that wait, and mine with messages that I have not read. */
export function attention(inbox: Inbox, me: string): number {
  let count = 0;
  for (const row of inbox.rows.values()) {
    if (row.status === "waiting" || (belongs(row, "mine", me) && row.unread > 0)) count += 1;
  }
  return count;
}
