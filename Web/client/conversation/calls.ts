/** The calls of a conversation, as its events tell them. Pure. */
import type { ConversationEvent } from "./events";

/** A call that is offered or goes on. */
export interface OngoingCall {
  /** Its number: that of the invitation. */
  readonly number: number;
  readonly kind: "voice" | "video";
  /** Who invited. */
  readonly by: number;
  /** When the invitation ends unanswered. */
  readonly until: number;
  /** When the consumer accepted; `undefined` while they are invited. */
  readonly since: number | undefined;
}

/** How a call ended. */
export type CallEnd = Extract<ConversationEvent["content"], { readonly kind: "callEnded" }>;

/** The call that is offered or goes on; `undefined` without one. */
export function ongoingCall(events: readonly ConversationEvent[]): OngoingCall | undefined {
  let since: number | undefined;
  for (let i = events.length - 1; i >= 0; i--) {
    const { n, at, by, content } = events[i] as ConversationEvent;
    if (content.kind === "callEnded" || content.kind === "closed") return undefined;
    if (content.kind === "callAnswered") since = at;
    if (content.kind === "callInvited") return { number: n, kind: content.media, by, until: content.until, since };
  }
  return undefined;
}

/** Whether the consumer asks for a call that no one has offered. */
export function wantsCall(events: readonly ConversationEvent[]): boolean {
  for (let i = events.length - 1; i >= 0; i--) {
    const { by, content: { kind } } = events[i] as ConversationEvent;
    if (kind === "callRequested") return true;
    if (kind === "callInvited" || kind === "closed" || (by > 1 && (kind === "text" || kind === "audio"))) return false;
  }
  return false;
}

/** The call that this event ended, of those that are loaded. */
export const callOf = (events: readonly ConversationEvent[], { of }: CallEnd): ConversationEvent | undefined =>
  events.find(({ n }) => n === of);
