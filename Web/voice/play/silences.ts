/** Finds silences. Pure: from the decoded samples where they are available, from the waveform's peaks until then. */
import type { Span } from "../../client/conversation/events";
import { playedMs } from "../../client/conversation/played-spans";

/** A pause of this length is a silence; shorter ones are how people talk. */
export const SILENCE_MS = 500;
/** So much of a silence stays at both of its ends, so that no word is clipped. */
export const BREATH_MS = 120;
/** One value of loudness for each span of this length. */
export const FRAME_MS = 20;
/** What is so much softer than the speech is none: 24 dB, and never louder than 60 dB under full scale. */
const SOFTER = 0.063;
const QUIETEST = 0.001;
/** The speech's own level is that of its loudest tenth. */
const LOUD_SHARE = 0.9;

/** Silences in decoded samples, -1 to 1. */
export function silencesIn(samples: Float32Array, rate: number): readonly Span[] {
  const size = Math.max(1, Math.round((rate * FRAME_MS) / 1000));
  const levels: number[] = [];
  for (let at = 0; at < samples.length; at += size) {
    let power = 0;
    const end = Math.min(samples.length, at + size);
    for (let i = at; i < end; i++) power += (samples[i] ?? 0) ** 2;
    levels.push(Math.sqrt(power / (end - at)));
  }
  return quiet(levels, FRAME_MS);
}

/** Silences by the peaks of equal spans of a message. Only long ones show in so few values. */
export function silencesByWave(wave: readonly number[], ms: number): readonly Span[] {
  return wave.length === 0 ? [] : quiet(wave.map((peak) => peak / 100), ms / wave.length);
}

function quiet(levels: readonly number[], step: number): readonly Span[] {
  const speech = [...levels].sort((a, b) => a - b)[Math.floor((levels.length - 1) * LOUD_SHARE)] ?? 0;
  const limit = Math.max(QUIETEST, speech * SOFTER);
  const spans: Span[] = [];
  let began: number | undefined;
  for (let i = 0; i <= levels.length; i++) {
    const soft = i < levels.length && (levels[i] ?? 0) < limit;
    if (soft) began ??= i;
    if (soft || began === undefined) continue;
    const [from, to] = [began * step, i * step];
    if (to - from >= SILENCE_MS) spans.push(
      [Math.round(from + (began === 0 ? 0 : BREATH_MS)), Math.round(to - BREATH_MS)]
    );
    began = undefined;
  }
  return spans;
}

/** The silence in which `at` lies, if enough of it is left to be worth a jump. */
export function silenceAt(silences: readonly Span[], at: number): Span | undefined {
  return silences.find(([from, to]) => at >= from && at < to - 60);
}

/** How long it takes to hear `ms` at `rate`, without these silences. */
export const listeningMs = (
  ms: number, silences: readonly Span[], rate: number,
): number => Math.max(0, ms - playedMs(silences)) / rate;
