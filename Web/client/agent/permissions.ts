/**
 * What a person of the brand may do. Everything in the workspace asks a permission here and never the role, which is
 * only a word to show. Pure; the server decides in the end.
 */
import type { Permission } from "../../protocol/permissions";
import { isUnanswered } from "./inbox";
import { takesPart, type Thread } from "./agent-thread";
import type { InboxRow, Status } from "../conversation/events";

/** A person and what the server says that they may do: the `agent` of a session. */
export interface PermissionHolder {
  readonly id: string;
  readonly permissions: readonly string[];
}

/** Whether a signed-in person has a permission. */
export function may({ agent }: { readonly agent: PermissionHolder }, permission: Permission): boolean {
  return agent.permissions.includes(permission);
}

/** The relation of a person to a conversation, and what they may do with it. */
export interface ConversationPermissions {
  readonly status: Status;
  /** This person answers it. */
  readonly mine: boolean;
  /** The name of a colleague who answers it. */
  readonly theirs: string | undefined;
  /** This person takes part beside the colleague who answers. */
  readonly joined: boolean;
  /** This person watches a colleague and could step in; no one is notified. */
  readonly watching: boolean;
  /** Whether the person may answer conversations at all, and tag them and mark them as urgent. */
  readonly mayAnswer: boolean;
  /** Whether messages reach the consumer. */
  readonly maySay: boolean;
  readonly mayNote: boolean;
  readonly mayTake: boolean;
  readonly mayTransfer: boolean;
  readonly mayTakeOver: boolean;
  readonly mayJoin: boolean;
  readonly mayClose: boolean;
  /** Whether the person may say that the consumer's last words need no answer. */
  readonly maySettle: boolean;
}

/** What a person may do with a conversation. `somebody`: the name of an unknown agent. */
export function permissionsFor(
  thread: Thread | undefined,
  row: InboxRow | undefined,
  agent: PermissionHolder,
  somebody: string,
): ConversationPermissions {
  const has = (permission: Permission): boolean => may({ agent }, permission);
  const status = thread?.phase === "live" ? thread.timeline.status : row?.status ?? "open";
  const [open, waiting] = [status === "open", status === "waiting"];
  const mine = open && row?.to === agent.id;
  const theirs = open && row?.to !== undefined && !mine ? row.toName ?? somebody : undefined;
  const held = theirs !== undefined;
  const joined = held && has("conversations.join") && thread !== undefined && takesPart(thread, agent.id);
  const mayTakeOver = held && has("conversations.takeOver");
  const mayJoin = held && !joined && has("conversations.join");
  const mayAnswer = has("conversations.answer");
  return {
    status, mine, theirs, joined, mayAnswer, mayTakeOver, mayJoin,
    watching: !joined && (mayTakeOver || mayJoin),
    maySay: mayAnswer && (!held || joined),
    mayNote: has("notes.read"),
    mayTake: mayAnswer && waiting,
    mayTransfer: mayAnswer && (mine || (has("conversations.transferOthers") && (open || waiting))),
    maySettle: mayAnswer && row !== undefined && (
      row.routing?.afterword !== undefined || ((mine || joined) && isUnanswered(row))
    ),
    mayClose: has("conversations.close") && (mine || (held && has("conversations.closeOthers"))),
  };
}
