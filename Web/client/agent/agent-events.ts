/**
 * What only the people of the brand are told: private events (docs/protocol.md section 3), how routing sees a
 * conversation and a person, and how to read them. Apart from events.ts and parse.ts, so that a consumer's phone does
 * not load it. Types are shared, for they weigh nothing.
 */
import type { AudioContent, ConversationEvent } from "../conversation/events";
import { compact, isObject, list, number, parseAudio, parseEvent, string } from "../core/parse";
import type { PrivateEventKind } from "../../protocol/agent-frames";
import type { Json } from "../core/parse";

/** Events that no consumer ever gets. */
export type PrivateContent =
  | Queued
  | { readonly kind: "offered"; readonly to: readonly string[]; readonly until: number }
  /** `said`: they said no; else the ring ended by itself. */
  | { readonly kind: "declined"; readonly agents: readonly string[]; readonly said: boolean }
  | {
    readonly kind: "note";
    readonly text?: string;
    readonly audio?: AudioContent;
    readonly mentions: readonly string[];
  }
  | { readonly kind: "noticed"; readonly agent: string }
  | { readonly kind: "tagged"; readonly tags: readonly string[] }
  | { readonly kind: "attribute"; readonly name: string; readonly value?: string }
  | { readonly kind: "disposed"; readonly id: string; readonly name: string }
  | { readonly kind: "urgent"; readonly on: boolean };

/** Waits for an agent again. `to`: meant for this agent, until then. */
export interface Queued {
  readonly kind: "queued";
  readonly skill: string;
  readonly why: string;
  readonly to?: string;
  readonly until?: number;
}

/** What routing says of a conversation (docs/protocol.md section 4, `routing`). */
export interface RoutingInfo {
  readonly skill?: string;
  readonly urgent?: true;
  /** By when the consumer is to be answered. */
  readonly due?: number;
  /** Where it rings, and until when. */
  readonly offer?: { readonly to: readonly string[]; readonly until: number };
  /** The agent whom it is meant for. */
  readonly for?: string;
  /** The agent promised to be back by then. */
  readonly callback?: number;
  readonly tags: readonly string[];
  /** The consumer's latest answer to the survey, 1 to 5. */
  readonly csat?: number;
  /** Who was mentioned in a note and has not seen it. */
  readonly mentioned: readonly string[];
}

/** Reads an event as an agent gets it. */
export function parseAgentEvent(v: unknown): ConversationEvent | undefined {
  const event = parseEvent(v);
  if (event === undefined || !isObject(v)) return event;
  const content = parsePrivate(v);
  if (content !== undefined) return { ...event, content };
  const quiet = event.content.kind === "joined" && isObject(v["joined"]) && v["joined"]["quiet"] === true;
  return quiet && event.content.kind === "joined" ? { ...event, content: { ...event.content, quiet } } : event;
}

type Reader = (value: Json) => PrivateContent | undefined;

const kinds: Readonly<Record<PrivateEventKind, Reader>> = {
  queued: (v) => compact<Queued>({
    kind: "queued", skill: string(v["skill"]) ?? "", why: string(v["why"]) ?? "",
    to: string(v["to"]), until: number(v["until"]),
  }),
  offered: (v) => ({ kind: "offered", to: list(v["to"], string), until: number(v["until"]) ?? 0 }),
  declined: (v) => ({ kind: "declined", agents: list(v["agents"], string), said: v["said"] === true }),
  note: (v) => compact<Extract<PrivateContent, { kind: "note" }>>({
    kind: "note", text: string(v["text"]), audio: parseAudio(v["audio"]), mentions: list(v["mentions"], string),
  }),
  noticed: (v) => ({ kind: "noticed", agent: string(v["agent"]) ?? "" }),
  tagged: (v) => ({ kind: "tagged", tags: list(v["tags"], string) }),
  attribute: (v) => compact<Extract<PrivateContent, { kind: "attribute" }>>({
    kind: "attribute", name: string(v["name"]) ?? "", value: string(v["value"]),
  }),
  disposed: (v) => ({ kind: "disposed", id: string(v["id"]) ?? "", name: string(v["name"]) ?? "" }),
  urgent: (v) => ({ kind: "urgent", on: v["on"] === true }),
};

function parsePrivate(event: Json): PrivateContent | undefined {
  for (const kind in kinds) {
    const value = event[kind];
    if (isObject(value)) return kinds[kind as PrivateEventKind](value);
  }
  return undefined;
}

export function parseRoutingInfo(v: unknown): RoutingInfo | undefined {
  if (!isObject(v)) return undefined;
  const offer = isObject(v["offer"])
    ? { to: list(v["offer"]["to"], string), until: number(v["offer"]["until"]) ?? 0 }
    : undefined;
  return compact<RoutingInfo>({
    skill: string(v["skill"]),
    urgent: v["urgent"] === true ? true : undefined,
    due: number(v["due"]),
    offer,
    for: string(v["for"]),
    callback: number(v["callback"]),
    tags: list(v["tags"], string),
    csat: number(v["csat"]),
    mentioned: list(v["mentioned"], string),
  });
}
