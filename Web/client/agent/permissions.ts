/** What an agent or manager may do with a conversation. Pure; the server decides in the end. */
import { takesPart, type Thread } from "./agent-thread";
import type { InboxRow, Status } from "../conversation/events";

/** The relation of an agent to a conversation, and what follows from it. */
export interface ConversationPermissions {
  readonly status: Status;
  /** This agent answers it. */
  readonly mine: boolean;
  /** The name of another agent who answers it. */
  readonly theirs: string | undefined;
  /** This manager takes part and does not answer. */
  readonly joined: boolean;
  /** This manager watches; no one is notified. */
  readonly watching: boolean;
  /** Whether messages reach the consumer. */
  readonly maySay: boolean;
  readonly mayTransfer: boolean;
  readonly mayTakeOver: boolean;
  readonly mayClose: boolean;
}

/** The person whose permissions are asked for. */
export interface PermissionHolder {
  readonly me: string;
  readonly manager: boolean;
  /** May close conversations that another agent answers. */
  readonly closesOthers: boolean;
}

/** The permissions of a person for a conversation. `somebody`: the name of an unknown agent. */
export function permissionsFor(
  thread: Thread | undefined,
  row: InboxRow | undefined,
  { me, manager, closesOthers }: PermissionHolder,
  somebody: string,
): ConversationPermissions {
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
