/** Every frame of docs/protocol.md section 2: how a client writes its own, and how it reads the server's. */
import type { Standing, Wall } from "../agent/people";
import type {
  AudioContent, Card, ConversationEvent, PlaybackProgress, InboxRow, Mark, Person, Span, Status,
} from "../conversation/events";
import { isObject, list, number, parseEvent, parsePlayed, parseMark, parsePerson, parseStatus, string } from "./parse";
import type { Json } from "./parse";
import type { ConsumerServerKind } from "../../protocol/frames";
import { parseSettings } from "./settings";
import type { Settings } from "./settings";

/** What a conversation looks like when it is opened: a consumer's `ready` and an agent's `watching` carry the same. */
export interface Snapshot {
  readonly status: Status;
  readonly people: readonly Person[];
  readonly marks: readonly Mark[];
  readonly events: readonly ConversationEvent[];
  /** Who played how much of the voice messages among them. */
  readonly played: readonly PlaybackProgress[];
  readonly through: number;
  /** Older events exist than the first of these. */
  readonly more: boolean;
  /** Forget what you have. */
  readonly fresh: boolean;
}

/** A frame from the server. `c` is absent where it is the consumer's only conversation. */
export type ServerFrame =
  | { readonly kind: "ready"; readonly epoch: string; readonly me: number; readonly snapshot: Snapshot }
  | {
    readonly kind: "inbox";
    readonly epoch: string;
    readonly agent: string;
    readonly rows: readonly InboxRow[];
    readonly position: number;
    readonly fresh: boolean;
  }
  | {
    readonly kind: "events";
    readonly c?: string;
    readonly events: readonly ConversationEvent[];
    readonly through: number;
  }
  | { readonly kind: "watching"; readonly c: string; readonly who?: Card; readonly snapshot: Snapshot }
  | {
    readonly kind: "page";
    readonly c?: string;
    readonly events: readonly ConversationEvent[];
    readonly played: readonly PlaybackProgress[];
    readonly more: boolean;
  }
  | { readonly kind: "ok"; readonly key: string; readonly n: number; readonly at: number; readonly c?: string }
  | {
    readonly kind: "no";
    readonly key: string;
    readonly code: string;
    readonly text: string;
    readonly c?: string;
    readonly limit?: number;
  }
  | { readonly kind: "typing"; readonly by: number; readonly c?: string; readonly off: boolean }
  | { readonly kind: "marks"; readonly marks: readonly Mark[]; readonly c?: string }
  | { readonly kind: "played"; readonly played: readonly PlaybackProgress[]; readonly c?: string }
  | { readonly kind: "settings"; readonly settings: Settings }
  | { readonly kind: "expect"; readonly expect: unknown }
  | { readonly kind: "rows"; readonly rows: readonly InboxRow[]; readonly position: number }
  | { readonly kind: "me"; readonly me: Standing }
  | { readonly kind: "team"; readonly team: readonly Standing[] }
  | { readonly kind: "wall"; readonly wall: Wall }
  | { readonly kind: "centre"; readonly v: number }
  | { readonly kind: "problem"; readonly code: string; readonly text: string; readonly c?: string }
  | { readonly kind: "bye"; readonly code: string; readonly text: string; readonly after?: number };

type Reader = (frame: Json, c: { c?: string }) => ServerFrame | undefined;

/** A reader for each kind. The first member of this object that a frame has is its kind: docs/protocol.md section 2. */
export type Readers<Kind extends string = ConsumerServerKind> = Readonly<Record<Kind, Reader>>;

/** What both sides are told. Agents are told more: agent-wire.ts. */
export const readers: Readers = {
  ready: (f) => {
    const r = isObject(f["ready"]) ? f["ready"] : {};
    const epoch = string(r["epoch"]);
    return epoch === undefined
      ? undefined
      : { kind: "ready", epoch, me: number(r["me"]) ?? 1, snapshot: parseSnapshot(r) };
  },
  page: (f) => {
    const c = string(f["page"]);
    return {
      kind: "page", ...(c === undefined ? {} : { c }), events: list(f["events"], parseEvent),
      played: list(f["played"], parsePlayed), more: f["more"] === true,
    };
  },
  ok: (f, c) => keyed(f["ok"], (key) => ({ kind: "ok", key, n: number(f["n"]) ?? 0, at: number(f["at"]) ?? 0, ...c })),
  no: (f, c) => {
    const limit = number(f["limit"]);
    const more = limit === undefined ? c : { ...c, limit };
    return keyed(f["no"], (key) => ({
      kind: "no", key, code: string(f["code"]) ?? "", text: string(f["text"]) ?? "", ...more,
    }));
  },
  typing: (f, c) => {
    const by = number(f["typing"]);
    return by === undefined ? undefined : { kind: "typing", by, ...c, off: f["off"] === true };
  },
  events: (f, c) => {
    const events = list(f["events"], parseEvent);
    return { kind: "events", ...c, events, through: number(f["through"]) ?? last(events) };
  },
  marks: (f, c) => ({ kind: "marks", marks: list(f["marks"], parseMark), ...c }),
  played: (f, c) =>
    Array.isArray(f["played"]) ? { kind: "played", played: list(f["played"], parsePlayed), ...c } : undefined,
  settings: (f) => {
    const settings = parseSettings(f["settings"]);
    return settings && { kind: "settings", settings };
  },
  expect: (f) => ({ kind: "expect", expect: f["expect"] }),
  problem: (f) => {
    const c = isObject(f["problem"]) ? string(f["problem"]["c"]) : undefined;
    return { kind: "problem", ...said(f["problem"]), ...(c === undefined ? {} : { c }) };
  },
  bye: (f) => {
    const after = isObject(f["bye"]) ? number(f["bye"]["after"]) : undefined;
    return { kind: "bye", ...said(f["bye"]), ...(after === undefined ? {} : { after }) };
  },
};

/**
 * Reads one text frame. `undefined` for a kind that this client does not know and for what is no frame at all: both
 * are ignored.
 */
export const parseFrame: FrameParser = (text) => parseWith(readers, text);

export type FrameParser = (text: string) => ServerFrame | undefined;

export function parseWith(readers: Readonly<Record<string, Reader>>, text: string): ServerFrame | undefined {
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(frame)) return undefined;
  const c = string(frame["c"]);
  for (const kind in readers) if (kind in frame) return readers[kind]?.(frame, c === undefined ? {} : { c });
  return undefined;
}

export function parseSnapshot(f: Json): Snapshot {
  const events = list(f["events"], parseEvent);
  return {
    status: parseStatus(f["status"]),
    people: list(f["people"], parsePerson),
    marks: list(f["marks"], parseMark),
    events,
    played: list(f["played"], parsePlayed),
    through: number(f["through"]) ?? last(events),
    more: f["more"] === true,
    fresh: f["fresh"] === true,
  };
}

const last = (events: readonly ConversationEvent[]): number => events[events.length - 1]?.n ?? 0;

function keyed(v: unknown, make: (key: string) => ServerFrame): ServerFrame | undefined {
  const key = string(v);
  return key === undefined ? undefined : make(key);
}

function said(v: unknown): { code: string; text: string } {
  return isObject(v) ? { code: string(v["code"]) ?? "", text: string(v["text"]) ?? "" } : { code: "", text: "" };
}

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
      return write({ take: key, c });
    case "close":
      return write({ close: key, c });
    case "ask":
      return write({ ask: key, c, ...command.ask });
  }
}

/** A consumer's first frame: I have everything through `after` of `epoch`, and the brand's settings as of `v`. */
export const consumerHello = (token: string, after?: number, epoch?: string, v?: number): string =>
  write({ hello: { token, after, epoch, v } });
export const typingFrame = (on: boolean, c?: string): string => write({ typing: on, c });
export const gotFrame = (n: number, c?: string): string => write({ got: n, c });
export const readFrame = (n: number, c?: string): string => write({ read: n, c });
/** These milliseconds of the voice message `n` were really played to a person here. */
export const playedFrame = (n: number, spans: readonly Span[], c?: string): string => write({ played: n, c, spans });
/** Older events, below `before`, newest first to be chosen. A consumer gives no `c`. */
export const pageFrame = (before: number, limit?: number, c?: string): string =>
  write({ page: c ?? null, before, limit });

const write = (frame: object): string => JSON.stringify(frame);
