/**
 * The published language of a conversation: what was said and done, as docs/protocol.md section 3 writes it.
 * No DOM, no network. Everything here is a value.
 */

import type { PrivateContent } from "../agent/agent-events";
import type { WireConsumerCard, WireInboxRow } from "../../protocol/agent-frames";
import type { WireAudio, WireContent, WireEvent, WireMark, WirePerson, WirePlayback, WireStatus } from
  "../../protocol/frames";

/** What the scanner said in the end. `failed`: it could not look into it, and never will. */
export type Verdict = Extract<WireContent, { kind: "scanned" }>["verdict"];

/** `pending`, `failed`: only who recorded it can play it; `blocked`: nobody can. */
export type Scan = "pending" | Exclude<Verdict, "clean">;

/**
 * What a voice message carries from its first moment. `ms` and `wave` come from the decoded samples, never from a
 * client. `scan` is here only where the message waits for the scanner, or was not let through (see `judged`).
 */
export type AudioContent = Omit<WireAudio, "scan"> & { readonly scan?: Scan };

/** The one thing that an event says. A kind that this client does not know is `unknown`: counted, never shown. */
export type Content =
  | Exclude<WireContent, { kind: "audio" }>
  | { readonly kind: "audio"; readonly audio: AudioContent }
  | { readonly kind: "unknown" };

/**
 * A durable fact of a conversation: number `n` (from 1, without gaps), time, participant, content. Agents are told
 * more: agent-events.ts.
 */
export type ConversationEvent = WireEvent<Content | PrivateContent>;

/** Who `by` is, for participants from 2 on. */
export type Person = WirePerson;

/** Watermarks of a participant: everything through `delivered` reached a device, through `read` was seen. */
export type Mark = WireMark;

/** How much of voice message `n` participant `by` really played, 0 to 100. `listened`: enough to say so. */
export type PlaybackProgress = WirePlayback;

/** Milliseconds of a voice message, from and to. */
export type Span = readonly [from: number, to: number];

/**
 * `new`: nothing said yet; `waiting`: nobody answers yet; `open`: an agent does; `closed`: over until someone writes.
 */
export type Status = WireStatus;

/** The consumer, as agents see them. */
export type Card = WireConsumerCard;

/** One line of the agents' inbox (docs/protocol.md section 4). */
export type InboxRow = WireInboxRow;

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
    case "reopened":
      return content.to === undefined ? "waiting" : "open";
    case "resumed":
    case "queued":
      return "waiting";
    default:
      return status;
  }
}
