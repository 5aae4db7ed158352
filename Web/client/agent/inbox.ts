/** The agent's inbox: what the server's rows add up to. Pure; the screen and the socket are elsewhere. */
import type { InboxRow } from "../conversation/events";

/** The lists of the inbox. `queue`: what waits for my skills; `mentions`: where a private note names me. */
export type Tab = "mine" | "queue" | "waiting" | "all" | "closed" | "mentions";
/** All tabs, in their order. */
export const TABS: readonly Tab[] = ["mine", "queue", "waiting", "all", "closed", "mentions"];

/** The agent who views the inbox. */
export interface Viewer {
  readonly me: string;
  /** The skills that they answer; `undefined`: not known yet, all. */
  readonly skills: readonly string[] | undefined;
}

/** All rows, and the feed position through which they are complete. */
export interface Inbox {
  readonly rows: ReadonlyMap<string, InboxRow>;
  readonly position: number;
  /** Rows have arrived at least once: an empty list is really empty. */
  readonly loaded: boolean;
}

/** The inbox before its rows arrived. */
export const emptyInbox: Inbox = { rows: new Map(), position: 0, loaded: false };

/**
 * Takes rows in. An older row (lower `p`) never replaces a newer one, so that what is repeated or late does no harm.
 * `fresh` forgets what was there: the server has begun a new life of its log, or the cursor was too old. `gone`: the
 * conversations that the person sees no longer.
 */
export function withRows(
  inbox: Inbox, rows: readonly InboxRow[], position: number, fresh: boolean, gone: readonly string[] = [],
): Inbox {
  const next = new Map(fresh ? [] : inbox.rows);
  for (const c of gone) next.delete(c);
  for (const row of rows) {
    const known = next.get(row.c);
    if (known === undefined || known.p <= row.p) next.set(row.c, row);
  }
  return { rows: next, position: fresh ? position : Math.max(inbox.position, position), loaded: true };
}

/** Whether `row` belongs to `tab` for this viewer. */
export function belongs(row: InboxRow, tab: Tab, { me, skills }: Viewer): boolean {
  switch (tab) {
    case "waiting": return row.status === "waiting";
    case "mine": return (row.status === "open" && row.to === me) || row.routing?.afterword === me;
    case "queue": return row.status === "waiting" && isFor(row, me, skills);
    case "all": return row.status !== "new";
    case "closed": return row.status === "closed";
    case "mentions": return row.routing?.mentioned.includes(me) === true;
  }
}

function isFor({ routing }: InboxRow, me: string, skills: readonly string[] | undefined): boolean {
  if (routing?.for !== undefined) return routing.for === me;
  return routing?.skill === undefined || skills === undefined || skills.includes(routing.skill)
    || routing.offer?.to.includes(me) === true;
}

/** Whether the consumer wrote last, and no one has replied or said that no answer is needed. */
export function isUnanswered(row: InboxRow): boolean {
  return row.status !== "closed" && row.since !== undefined && row.last?.by === 1 && row.routing?.settled !== true;
}

/** Whether the conversation is offered to `me` now. */
export function isOfferedTo({ routing, status }: InboxRow, me: string, now: number): boolean {
  return status === "waiting" && routing?.offer !== undefined && routing.offer.until > now
    && routing.offer.to.includes(me);
}

/** The section of the inbox that a conversation is in, most urgent first. */
export type Section = "ringing" | "overdue" | "soon" | "afterword" | "ongoing" | "idle" | "closed";
/** All sections, most urgent first. */
export const SECTIONS: readonly Section[] = ["ringing", "overdue", "soon", "afterword", "ongoing", "idle", "closed"];

/** From here on an answer is due soon. */
export const SOON_MS = 5 * 60_000;
/** After this time without a message, a conversation that waits for no reply is idle. */
export const IDLE_MS = 5 * 60_000;

/** The section of a row for the agent `me`. */
export function sectionOf(row: InboxRow, me: string, now: number): Section {
  if (row.status === "closed") return row.routing?.afterword === undefined ? "closed" : "afterword";
  if (isOfferedTo(row, me, now)) return "ringing";
  const due = row.routing?.due;
  if (due !== undefined) return due <= now ? "overdue" : due - now <= SOON_MS ? "soon" : "ongoing";
  return isUnanswered(row) || now - row.at < IDLE_MS ? "ongoing" : "idle";
}

/** The rows of a tab in the order of work: section by section, in each the one with the least time left first. */
export function listed(
  inbox: Inbox, tab: Tab, who: Viewer, now: number,
): { readonly section: Section; readonly rows: readonly InboxRow[] }[] {
  const found = new Map<Section, InboxRow[]>();
  for (const row of inbox.rows.values()) {
    if (!belongs(row, tab, who)) continue;
    const section = sectionOf(row, who.me, now);
    const rows = found.get(section);
    if (rows === undefined) found.set(section, [row]);
    else rows.push(row);
  }
  return SECTIONS.flatMap((section) => {
    const rows = found.get(section);
    return rows === undefined ? [] : [
      { section, rows: rows.sort(section === "idle" || section === "closed" ? byActivity : byTimeLeft) },
    ];
  });
}

/** Who is due first; then who waits longest; then the newest activity. */
function byTimeLeft(a: InboxRow, b: InboxRow): number {
  const [dueA, dueB] = [a.routing?.due ?? Infinity, b.routing?.due ?? Infinity];
  if (dueA !== dueB) return dueA - dueB;
  const [urgentA, urgentB] = [isUnanswered(a), isUnanswered(b)];
  if (urgentA !== urgentB) return urgentA ? -1 : 1;
  if (urgentA && a.since !== b.since) return (a.since ?? 0) - (b.since ?? 0);
  return byActivity(a, b);
}

function byActivity(a: InboxRow, b: InboxRow): number {
  return b.at - a.at || (a.c < b.c ? -1 : 1);
}

/** The number of conversations in each tab. */
export function counts(inbox: Inbox, who: Viewer): Record<Tab, number> {
  const count = { waiting: 0, mine: 0, all: 0, queue: 0, closed: 0, mentions: 0 };
  for (const row of inbox.rows.values()) {
    for (const tab of TABS) if (belongs(row, tab, who)) count[tab] += 1;
  }
  return count;
}

/**
 * The number in the page's title: conversations offered or waiting for the viewer's skills, mentions, and own
 * conversations with unread messages.
 */
export function attention(inbox: Inbox, who: Viewer): number {
  let count = 0;
  for (const row of inbox.rows.values()) {
    if (belongs(row, "queue", who) || belongs(row, "mentions", who) || (
      belongs(row, "mine", who) && row.unread > 0
    )) count += 1;
  }
  return count;
}

/**
 * The conversation to continue with after `c`: the viewer's own one with the least time left, then one of the queue;
 * never `c` itself.
 */
export function nextOf(inbox: Inbox, who: Viewer, now: number, c: string | undefined): string | undefined {
  for (const tab of ["mine", "queue"] as const) {
    const order = listed(inbox, tab, who, now).flatMap(({ rows }) => rows);
    const at = order.findIndex((row) => row.c === c);
    const next = order[at + 1] ?? order[0];
    if (next !== undefined && next.c !== c) return next.c;
  }
  return undefined;
}
