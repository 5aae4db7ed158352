/**
 * Readers for untrusted JSON. Each returns `undefined` for what it cannot use and never throws: a server that is newer
 * than this client must not break it.
 */
import type {
  AudioContent, Content, ConversationEvent, PlaybackProgress, Later, Mark, Person, Scan, Status, Verdict,
} from "../conversation/events";

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
  const scan = parseScan(v["scan"]);
  return compact<AudioContent>({
    media, ms: Math.max(0, number(v["ms"]) ?? 0), wave, bytes: number(v["bytes"]) ?? 0, loud: number(v["loud"]), scan,
  });
}

function parseScan(v: unknown): Scan | undefined {
  const said = v === undefined ? "clean" : v === "pending" ? "pending" : parseVerdict(v);
  return said === "clean" ? undefined : said;
}

/** A verdict that we do not know opens nothing. */
const parseVerdict = (v: unknown): Verdict => (v === "clean" || v === "blocked" ? v : "failed");

const LATER: readonly Later[] = ["left", "callback", "surveyed", "rated"];

function parseContent(event: Json): Content {
  const text = string(event["text"]);
  if (text !== undefined) return { kind: "text", text };
  const audio = parseAudio(event["audio"]);
  if (audio) return { kind: "audio", audio };
  const { started, joined, assigned, scanned, automatic } = event;
  if (isObject(started))
    return { kind: "started", channel: string(started["channel"]) ?? "", app: string(started["app"]) ?? "" };
  if (isObject(scanned))
    return { kind: "scanned", of: number(scanned["of"]) ?? 0, verdict: parseVerdict(scanned["verdict"]) };
  if (isObject(joined)) {
    const id = string(joined["id"]);
    const who = { kind: "joined" as const, role: string(joined["role"]) ?? "", name: string(joined["name"]) ?? "" };
    return id === undefined ? who : { ...who, id };
  }
  if (isObject(assigned)) return { kind: "assigned", to: number(assigned["to"]) ?? 0 };
  if ("closed" in event) return { kind: "closed" };
  if ("resumed" in event) return { kind: "resumed" };
  if (isObject(automatic))
    return { kind: "automatic", on: string(automatic["on"]) ?? "", text: string(automatic["text"]) ?? "" };
  for (const kind of LATER) {
    const inside = event[kind];
    if (isObject(inside)) return { kind, inside };
  }
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

export function parsePlayed(v: unknown): PlaybackProgress | undefined {
  if (!Array.isArray(v)) return undefined;
  const [n, by, percent] = [number(v[0]), number(v[1]), number(v[2])];
  if (n === undefined || by === undefined || percent === undefined) return undefined;
  return { n, by, percent: Math.min(100, Math.max(0, percent)), listened: v[3] === 1 || v[3] === true };
}

export function parseStatus(v: unknown): Status {
  return v === "waiting" || v === "open" || v === "closed" ? v : "new";
}
