/**
 * Readers for untrusted JSON. Each returns `undefined` for what it cannot use and never throws: a server that is newer than
 * this client must not break it.
 */
import type { AudioContent, Content, ConversationEvent, Mark, Person, Status } from "./events";

/** A JSON object, before anything is known about it. */
export type Json = Record<string, unknown>;

export const isObject = (v: unknown): v is Json => typeof v === "object" && v !== null && !Array.isArray(v);
export const string = (v: unknown): string | undefined => (typeof v === "string" ? v : undefined);
export const number = (v: unknown): number | undefined => (typeof v === "number" && Number.isFinite(v) ? v : undefined);

/** Every element that `read` can use; the others are left out. */
export function list<T>(v: unknown, read: (item: unknown) => T | undefined): T[] {
  if (!Array.isArray(v)) return [];
  return v.map(read).filter((item): item is T => item !== undefined);
}

/** Leaves keys with no value away, so that optional properties are absent and not `undefined`. */
export function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}

export function parseAudio(v: unknown): AudioContent | undefined {
  if (!isObject(v)) return undefined;
  const media = string(v["media"]);
  if (media === undefined) return undefined;
  const wave = list(v["wave"], number).map((peak) => Math.max(0, Math.min(100, peak)));
  return { media, ms: Math.max(0, number(v["ms"]) ?? 0), wave, bytes: number(v["bytes"]) ?? 0 };
}

function parseContent(event: Json): Content {
  const text = string(event["text"]);
  if (text !== undefined) return { kind: "text", text };
  const audio = parseAudio(event["audio"]);
  if (audio) return { kind: "audio", audio };
  const { started, joined, assigned } = event;
  if (isObject(started)) return { kind: "started", channel: string(started["channel"]) ?? "", app: string(started["app"]) ?? "" };
  if (isObject(joined)) {
    const id = string(joined["id"]);
    const who = { kind: "joined" as const, role: string(joined["role"]) ?? "", name: string(joined["name"]) ?? "" };
    return id === undefined ? who : { ...who, id };
  }
  if (isObject(assigned)) return { kind: "assigned", to: number(assigned["to"]) ?? 0 };
  if ("closed" in event) return { kind: "closed" };
  if ("resumed" in event) return { kind: "resumed" };
  return { kind: "unknown" };
}

export function parseEvent(v: unknown): ConversationEvent | undefined {
  if (!isObject(v)) return undefined;
  const n = number(v["n"]);
  if (n === undefined || n < 1) return undefined;
  return { n, at: number(v["at"]) ?? 0, by: number(v["by"]) ?? 0, content: parseContent(v) };
}

export function parsePerson(v: unknown): Person | undefined {
  if (!isObject(v)) return undefined;
  const by = number(v["by"]);
  if (by === undefined) return undefined;
  return compact<Person>({ by, role: string(v["role"]) ?? "", name: string(v["name"]) ?? "", id: string(v["id"]) });
}

export function parseMark(v: unknown): Mark | undefined {
  if (!Array.isArray(v)) return undefined;
  const [by, delivered, read] = [number(v[0]), number(v[1]), number(v[2])];
  if (by === undefined || delivered === undefined || read === undefined) return undefined;
  return { by, delivered: Math.max(delivered, read), read };
}

export function parseStatus(v: unknown): Status {
  return v === "waiting" || v === "open" || v === "closed" ? v : "new";
}
