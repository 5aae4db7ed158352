/** What a recorder knows at a moment, what it needs, and its limits. */
import { HTTPProblem } from "../../client/core/api";
import type { AudioContent } from "../../client/conversation/events";
import type { OpenCapture } from "./capture";
import type { PageMicrophone } from "./page-microphone";
import { holds, listens } from "./recording";
import type { Problem, Recording } from "./recording";
import type { Retention, RecordingSessionOptions } from "./recording-session";

/** What a recorder's panel shows. */
export interface RecorderState {
  readonly recording: Recording;
  /** Whole seconds spoken so far. */
  readonly seconds: number;
  /** Seconds left, once it is worth saying. */
  readonly left?: number | undefined;
  /** No sound was detected for a while. */
  readonly silent: boolean;
  /** Too loud: the recording distorts. */
  readonly clips: boolean;
  /** What the microphone calls itself. */
  readonly device: string;
  /** How much of it the server has, 0 to 1. */
  readonly share: number;
  /** The server does not respond; sending continues automatically. */
  readonly stalled: boolean;
  readonly retention: Retention;
}

/** What a recorder needs from its manager. */
export interface RecorderOptions extends Omit<RecordingSessionOptions, "moved" | "retention"> {
  readonly open: OpenCapture;
  /** The microphone of this page. */
  readonly microphone: PageMicrophone;
  /** Longest message in milliseconds; asked when a recording starts. */
  readonly limitMs: () => number;
  /** Why recording is not possible here now; `undefined` when it is. */
  readonly forbids: () => Problem | undefined;
  /** Sends the uploaded recording to its conversation. The same `key` is always the same message. */
  readonly deliver: (conversation: string, audio: AudioContent, key: string) => void;
}

/** From here on the remaining time is shown. */
export const SHOW_LEFT_MS = 15_000;
/** The recorder stops this much before the limit: the server counts decoded samples, and stopping takes a moment. */
export const LIMIT_MARGIN_MS = 400;
/** How long a deletion can be undone. */
export const UNDO_MS = 10_000;
/** A pause ends after this time: no microphone stays open unnoticed. */
export const PAUSE_MOST_MS = 5 * 60_000;

/** The state before any recording. */
export const NOTHING: Omit<RecorderState, "recording"> = {
  seconds: 0, left: undefined, silent: false, clips: false, device: "", share: 0, stalled: false, retention: "kept",
};

/** Whether this recorder has an unsent recording, or an open microphone. */
export const isBusy = ({ recording }: RecorderState): boolean => holds(recording) || listens(recording);

const KNOWN: Record<string, Problem> = {
  audio_too_long:
    "tooLong", audio_too_large: "tooLarge", audio_empty: "empty", audio_damaged: "damaged", not_audio: "damaged",
  audio_blocked: "blocked", audio_off: "off", storage_full: "full", not_signed_in: "signedOut", csrf: "signedOut",
  digest_mismatch: "network",
};

/** What a refusal by the server means for a recording. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof HTTPProblem)) return "failed";
  return KNOWN[error.code] ?? (error.passes ? "network" : "failed");
}
