/** The frames of docs/protocol.md section 2: how a client writes its own, and how it reads the server's. */
import type { AudioContent, ConversationEvent, Span } from "../conversation/events";
import { eventKinds, frames } from "../../protocol/shapes";
import type { Shapes } from "../../protocol/shapes";
import type { WireClientFrame, WireServerFrame } from "../../protocol/agent-frames";
import { isObject } from "./parse";
import { readKind } from "./shapes";

/** A frame from the server. `c` is absent where it is the consumer's only conversation. */
export type ServerFrame = WireServerFrame;

/** The frames of one kind. */
export type FrameOf<Kind extends ServerFrame["kind"]> = Extract<ServerFrame, { kind: Kind }>;

/** What a conversation looks like when it is opened: a consumer's `ready` and an agent's `watching` carry the same. */
export type Snapshot =
  & Pick<FrameOf<"watching">, "status" | "people" | "marks" | "played" | "through" | "more">
  & Partial<Pick<FrameOf<"watching">, "recorded">>
  & { readonly events: readonly ConversationEvent[]; readonly fresh?: boolean };

export type FrameParser = (text: string) => ServerFrame | undefined;

/** Reads frames of these kinds. What is no such frame is `undefined`: it is ignored. */
export const parser = (kinds: Shapes): FrameParser => (text) => {
  try {
    const frame: unknown = JSON.parse(text);
    return isObject(frame) ? readKind(kinds, frame, true) as ServerFrame | undefined : undefined;
  } catch {
    return undefined;
  }
};

/** Reads a frame that came to a consumer. */
export const parseFrame = parser(frames(eventKinds));

/** Something that a client asks and that is answered by `ok` or `no`. */
export type Command =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "audio"; readonly audio: AudioContent }
  | { readonly kind: "take" }
  | { readonly kind: "close" }
  | { readonly kind: "ask"; readonly ask: Ask };

/** One of the questions of docs/protocol.md section 2: `{"rate":{"csat":5}}`, `{"decline":{}}`. */
export type Ask = Readonly<Record<string, unknown>>;

/** A command as a frame. `read` moves the read mark along with what is said, which saves a frame of its own. */
export function commandFrame(key: string, command: Command, c?: string, read?: number): string {
  switch (command.kind) {
    case "text":
      return write({ send: key, c, text: command.text, read });
    case "audio":
      return write({ send: key, c, audio: command.audio.media, read });
    case "take":
      return write({ take: key, c: c ?? "" });
    case "close":
      return write({ close: key, c });
    case "ask":
      return write({ ask: key, c, ...command.ask } as WireClientFrame);
  }
}

/** A consumer's first frame: I have everything through `after` of `epoch`, and the brand's settings as of `v`. */
export const consumerHello = (token: string, after?: number, epoch?: string, v?: number): string =>
  write({ hello: { token, after, epoch, v } });
/** A newer token of the same consumer. */
export const renewFrame = (token: string): string => write({ renew: token });
export const typingFrame = (on: boolean, c?: string): string => write({ typing: on, c });
export const gotFrame = (n: number, c?: string): string => write({ got: n, c });
export const readFrame = (n: number, c?: string): string => write({ read: n, c });
/** These milliseconds of the voice message `n` were really played to a person here. */
export const playedFrame = (n: number, spans: readonly Span[], c?: string): string => write({ played: n, c, spans });
/** Older events, below `before`, newest first to be chosen. A consumer gives no `c`. */
export const pageFrame = (before: number, limit?: number, c?: string): string =>
  write({ page: c ?? null, before, limit });

/** A frame of the schema, in which an omitted member may be `undefined`. */
type Sparse<T> = T extends readonly unknown[] ? T
  : T extends object ? { [K in keyof T]: Sparse<T[K]> | (undefined extends T[K] ? undefined : never) } : T;

/** Writes a frame. */
export const write = (frame: Sparse<WireClientFrame>): string => JSON.stringify(frame);
