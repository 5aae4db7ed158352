/** How a person of the brand stands to a conversation, and what they may do with it. Pure; the server decides in the end. */
import { takesPart, type Thread } from "./agent-thread";
import type { InboxRow, Status } from "../conversation/events";

export interface ConversationPermissions {
  readonly status: Status;
  /** I answer it. */
  readonly mine: boolean;
  /** Somebody else answers it; their name. */
  readonly theirs: string | undefined;
  /** I take part and do not answer. */
  readonly joined: boolean;
  /** A manager who looks on: nobody is told. */
  readonly watching: boolean;
  /** What I write reaches the consumer. */
  readonly maySay: boolean;
  readonly mayTransfer: boolean;
  readonly mayTakeOver: boolean;
  readonly mayClose: boolean;
}

export interface PermissionHolder {
  readonly me: string;
  readonly manager: boolean;
  /** May close what somebody else answers. */
  readonly closesOthers: boolean;
}

export function permissionsFor(thread: Thread | undefined, row: InboxRow | undefined, { me, manager, closesOthers }: PermissionHolder, somebody: string): ConversationPermissions {
  const status = thread?.phase === "live" ? thread.timeline.status : row?.status ?? "open";
  const open = status === "open";
  const mine = open && row?.to === me;
  const theirs = open && row?.to !== undefined && !mine ? row.toName ?? somebody : undefined;
  const joined = theirs !== undefined && manager && thread !== undefined && takesPart(thread, me);
  return {
    status, mine, theirs, joined,
    watching: theirs !== undefined && manager && !joined,
    maySay: theirs === undefined || joined,
    mayTransfer: mine || (manager && (open || status === "waiting")),
    mayTakeOver: theirs !== undefined && manager,
    mayClose: mine || (theirs !== undefined && closesOthers),
  };
}
