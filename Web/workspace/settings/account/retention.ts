/** What the server says of a brand's retention. Pure. */
import { isObject, list, number, string } from "../../../client/core/parse";

/** What is due to be removed. */
export interface DueCounts {
  readonly conversations: number;
  readonly events: number;
  readonly recordings: number;
  readonly bytes: number;
  readonly oldest: number | undefined;
}

/** A conversation that is kept however old it is. */
export interface LegalHold {
  readonly conversation: string;
  /** The consumer's name. */
  readonly who: string | undefined;
  readonly by: string;
  readonly reason: string;
  readonly at: number;
}

/** A receipt of what was removed. */
export interface Receipt {
  readonly run: number;
  readonly kind: string;
  readonly completed: number;
  readonly conversations: number;
  readonly recordings: number;
  readonly key: string;
  readonly signed: string;
  readonly signature: string;
}

export interface Retention {
  readonly days: number;
  readonly due: DueCounts;
  readonly waitsForClock: boolean;
  readonly holds: readonly LegalHold[];
  readonly receipts: readonly Receipt[];
}

/** The shortest and the longest period, in days. */
export const RETENTION_DAYS = [1, 3653] as const;

/** Parses the server's answer. */
export function parseRetention(json: { readonly [name: string]: unknown }): Retention {
  const due = isObject(json["due"]) ? json["due"] : {};
  return {
    days: number(json["days"]) ?? 0,
    due: {
      conversations: number(due["conversations"]) ?? 0,
      events: number(due["events"]) ?? 0,
      recordings: number(due["recordings"]) ?? 0,
      bytes: number(due["bytes"]) ?? 0,
      oldest: number(due["oldest"]),
    },
    waitsForClock: json["waitsForClock"] === true,
    holds: list(json["holds"], parseHold),
    receipts: list(json["receipts"], parseReceipt),
  };
}

function parseHold(v: unknown): LegalHold | undefined {
  if (!isObject(v)) return undefined;
  const conversation = string(v["conversation"]);
  return conversation === undefined ? undefined : {
    conversation,
    who: string(v["who"]),
    by: string(v["by"]) ?? "",
    reason: string(v["reason"]) ?? "",
    at: number(v["at"]) ?? 0,
  };
}

function parseReceipt(v: unknown): Receipt | undefined {
  const signed = isObject(v) ? string(v["signed"]) : undefined;
  if (!isObject(v) || signed === undefined) return undefined;
  const receipt = parsed(signed);
  if (!isObject(receipt)) return undefined;
  const removed = isObject(receipt["removed"]) ? receipt["removed"] : {};
  return {
    run: number(receipt["run"]) ?? 0,
    kind: string(receipt["kind"]) ?? "",
    completed: number(receipt["completed"]) ?? 0,
    conversations: number(removed["conversations"]) ?? 0,
    recordings: number(removed["recordings"]) ?? 0,
    key: string(receipt["key"]) ?? "",
    signed,
    signature: string(v["signature"]) ?? "",
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The conversation in a pasted address of the workspace (`…#/mine/ID/card`), or the id itself. */
export function conversationIn(text: string): string | undefined {
  const hash = text.trim().split("#/")[1];
  const id = hash === undefined ? text.trim() : hash.split("/")[1] ?? "";
  return /^[\w-]{10,64}$/.test(id) ? id : undefined;
}

/** Bytes for people: 5.2 MB. */
export function bytesText(bytes: number): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
  const power = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return new Intl.NumberFormat(undefined, {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1000 ** power);
}
