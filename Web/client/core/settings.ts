/** The brand's settings that apply to this client (docs/protocol.md section 6). */
import { isObject, number } from "./parse";

/** Why voice messages are off: for everyone, for people like me, or on this channel. */
export type VoiceOff = "brand" | "role" | "channel";

/** Settings of voice messages. */
export interface AudioSettings {
  /** Whether voice messages may be sent. Earlier ones can be played in any case. */
  readonly on: boolean;
  readonly why?: VoiceOff;
  /** Longest voice message, in milliseconds. */
  readonly ms: number;
  /** How many voice messages a consumer's device keeps to play without a network. */
  readonly keep: number;
}

/** The settings of version `v`. */
export interface Settings {
  /** Rises with every change; 0 before the server said any. */
  readonly v: number;
  readonly audio: AudioSettings;
}

/** The settings before the server sent its own. Everything is on: the server refuses what is not allowed. */
export const DEFAULT_SETTINGS: Settings = { v: 0, audio: { on: true, ms: 120_000, keep: 20 } };
/** The most messages that are kept, whatever the server says. */
const MOST_KEPT = 100;

/** Reads settings; missing values are the defaults. */
export function parseSettings(v: unknown): Settings | undefined {
  if (!isObject(v) || !isObject(v["audio"])) return undefined;
  const a = v["audio"];
  const { audio } = DEFAULT_SETTINGS;
  const why = a["why"] === "brand" || a["why"] === "role" || a["why"] === "channel" ? a["why"] : undefined;
  const keep = Math.min(MOST_KEPT, Math.max(0, Math.floor(number(a["keep"]) ?? audio.keep)));
  return {
    v: number(v["v"]) ?? 0,
    audio: { on: a["on"] !== false, ms: number(a["ms"]) ?? audio.ms, keep, ...(why ? { why } : {}) },
  };
}

/** The newer of two settings: an HTTP response may be older than what the socket sent since. */
export const newerSettings = (held: Settings, received: Settings): Settings => (received.v >= held.v ? received : held);
