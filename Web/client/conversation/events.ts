/**
 * The published language of a conversation: what was said and done, as docs/protocol.md section 3 writes it.
 * No DOM, no network. Everything here is a value.
 */

import type { RoutingInfo, PrivateContent } from "../agent/agent-events";

/**
 * What a voice message carries from its first moment. `ms` and `wave` come from the decoded samples, never from a
 * client.
 */
export interface AudioContent {
  readonly media: string;
  /** Length of the decoded sound in milliseconds. */
  readonly ms: number;
  /** Peaks of equal spans, 0 to 100; 64 of them, but a reader draws whatever it gets. */
  readonly wave: readonly number[];
  readonly bytes: number;
  /** Loudness by EBU R128 in tenths of LUFS; absent for silence. */
  readonly loud?: number;
  /** Stands here only where the message waits for the scanner, or was not let through (see `judged`). */
  readonly scan?: Scan;
}

/** What the scanner said in the end. `failed`: it could not look into it, and never will. */
export type Verdict = "clean" | "blocked" | "failed";

/** `pending`, `failed`: only who recorded it can play it; `blocked`: nobody can. */
export type Scan = "pending" | Exclude<Verdict, "clean">;

/** Left the conversation; promised to be back; asked after the end, and answered. */
export type Later = "left" | "callback" | "surveyed" | "rated";

/** The one thing that an event says. A kind that this client does not know is `unknown`: counted, never shown. */
export type Content =
  | { readonly kind: "started"; readonly channel: string; readonly app: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "audio"; readonly audio: AudioContent }
  | { readonly kind: "scanned"; readonly of: number; readonly verdict: Verdict }
  | {
    readonly kind: "joined";
    readonly role: string;
    readonly name: string;
    readonly id?: string;
    readonly quiet?: true;
  }
  | { readonly kind: "assigned"; readonly to: number }
  | { readonly kind: "closed" }
  /** Earshot said this by itself. */
  | { readonly kind: "automatic"; readonly on: string; readonly text: string }
  /** What is in these is read by who shows it (waiting.ts, survey.ts): most conversations never need it. */
  | { readonly kind: Later; readonly inside: Readonly<Record<string, unknown>> }
  | { readonly kind: "resumed" }
  | { readonly kind: "unknown" };

/** A durable fact of a conversation: number `n` (from 1, without gaps), time, participant, content. */
export interface ConversationEvent {
  readonly n: number;
  /** Milliseconds since 1970, by the server's clock. */
  readonly at: number;
  /** 0 is Earshot itself, 1 the consumer, agents follow in the order in which they joined. */
  readonly by: number;
  /** Agents are told more: agent-events.ts. */
  readonly content: Content | PrivateContent;
}

/** Who `by` is, for participants from 2 on. */
export interface Person {
  readonly by: number;
  readonly role: string;
  readonly name: string;
  /** The agent's id; agents see it, consumers do not. */
  readonly id?: string;
}

/** Watermarks of a participant: everything through `delivered` reached a device, through `read` was seen. */
export interface Mark {
  readonly by: number;
  readonly delivered: number;
  readonly read: number;
}

/** How much of voice message `n` participant `by` really played, 0 to 100. `listened`: enough to say so. */
export interface PlaybackProgress {
  readonly n: number;
  readonly by: number;
  readonly percent: number;
  readonly listened: boolean;
}

/** Milliseconds of a voice message, from and to. */
export type Span = readonly [from: number, to: number];

/**
 * `new`: nothing said yet; `waiting`: nobody answers yet; `open`: an agent does; `closed`: over until someone writes.
 */
export type Status = "new" | "waiting" | "open" | "closed";

/** The consumer, as agents see them. */
export interface Card {
  readonly name: string;
  readonly app?: string;
  readonly since?: number;
  readonly page?: string;
  readonly language?: string;
  readonly device?: string;
}

/** One line of the agents' inbox (docs/protocol.md section 4). */
export interface InboxRow {
  readonly c: string;
  readonly p: number;
  readonly status: Status;
  readonly to?: string;
  readonly toName?: string;
  readonly who: string;
  readonly channel?: string;
  readonly app?: string;
  readonly n: number;
  readonly at: number;
  readonly since?: number;
  readonly last?: { readonly by: number; readonly text?: string; readonly audio?: number };
  readonly unread: number;
  /** Milliseconds of the consumer's voice messages that nobody of the brand has played. */
  readonly unplayed: number;
  /** What routing says of it. */
  readonly routing?: RoutingInfo;
}

/** How a message's state follows from what came after it. Shared by every reader, so that none of them guesses. */
export function statusAfter(status: Status, content: ConversationEvent["content"]): Status {
  switch (content.kind) {
    case "text":
    case "audio":
      return status === "new" ? "waiting" : status;
    case "assigned":
      return "open";
    case "closed":
      return "closed";
    case "resumed":
    case "queued":
      return "waiting";
    default:
      return status;
  }
}
