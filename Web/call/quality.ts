/** How good the connection of a call is: from the browser's statistics to words. Pure. */
import type { WireCallQuality } from "../protocol/frames";

/** In words. */
export type Quality = "good" | "fair" | "poor";

/** What one look at the statistics says. Counters are since the start of the call. */
export interface Sample {
  readonly received: number;
  readonly lost: number;
  readonly jitterMs: number;
  readonly rttMs: number;
  readonly relayed: boolean;
}

/**
 * What a listener would say, 1 (bad) to 4.5: the E-model of ITU-T G.107, with the delay and loss terms simplified to
 * lines.
 */
export function mos(rttMs: number, jitterMs: number, lostPercent: number): number {
  const delay = rttMs / 2 + 2 * jitterMs + 10;
  const impaired = 93.2 - (delay < 160 ? delay / 40 : (delay - 120) / 10) - 2.5 * lostPercent;
  const r = Math.max(0, Math.min(100, impaired));
  return 1 + 0.035 * r + 7e-6 * r * (r - 60) * (100 - r);
}

/** Lost packets between two looks, in percent. */
export function lostPercent(before: Sample | undefined, now: Sample): number {
  const lost = Math.max(0, now.lost - (before?.lost ?? 0));
  const all = lost + Math.max(0, now.received - (before?.received ?? 0));
  return all === 0 ? 0 : 100 * lost / all;
}

/** The quality between two looks. */
export function qualityOf(before: Sample | undefined, now: Sample): Quality {
  const score = mos(now.rttMs, now.jitterMs, lostPercent(before, now));
  return score >= 4 ? "good" : score >= 3.3 ? "fair" : "poor";
}

/** The whole call, as it is kept with its end. */
export function report(now: Sample): WireCallQuality {
  const lost = lostPercent(undefined, now);
  const [jitter, rtt] = [bounded(now.jitterMs), bounded(now.rttMs)];
  const hundredths = Math.round(100 * mos(rtt, jitter, lost));
  return { lost: Math.round(10 * lost), jitter, rtt, mos: hundredths, relayed: now.relayed };
}

const bounded = (ms: number): number => Math.max(0, Math.min(60_000, Math.round(ms)));

/** What is read of the statistics of an `RTCPeerConnection`; `undefined` before anything arrived. */
export function sampleOf(stats: Iterable<Readonly<Record<string, unknown>>>): Sample | undefined {
  const all = new Map([...stats].map((one) => [String(one["id"]), one]));
  const of = (type: string): Readonly<Record<string, unknown>>[] =>
    [...all.values()].filter((one) => one["type"] === type);
  const sound = of("inbound-rtp").find(({ kind }) => kind === "audio");
  if (sound === undefined) return undefined;
  const chosen = of("transport").map(({ selectedCandidatePairId: id }) => all.get(String(id))).find(Boolean)
    ?? of("candidate-pair").find(({ nominated, state }) => nominated === true && state === "succeeded");
  const ends = [chosen?.["localCandidateId"], chosen?.["remoteCandidateId"]].map((id) => all.get(String(id)));
  return {
    received: number(sound["packetsReceived"]),
    lost: number(sound["packetsLost"]),
    jitterMs: 1000 * number(sound["jitter"]),
    rttMs: 1000 * number(chosen?.["currentRoundTripTime"]),
    relayed: ends.some((end) => end?.["candidateType"] === "relay"),
  };
}

const number = (v: unknown): number => (typeof v === "number" && Number.isFinite(v) ? v : 0);

/**
 * A session description in which the sound is as wanted: with correction of lost packets, and hardly any packets while
 * nobody speaks (RFC 7587).
 */
export function withSpeech(sdp: string): string {
  const opus = /^a=rtpmap:(\d+) opus\/48000/mu.exec(sdp)?.[1];
  if (opus === undefined) return sdp;
  return sdp.replace(new RegExp(`^a=fmtp:${opus} (.*)$`, "mu"), (_, given: string) => {
    const kept = given.trim().split(";").filter((one) => !/^(useinbandfec|usedtx)=/u.test(one));
    return `a=fmtp:${opus} ${[...kept, "useinbandfec=1", "usedtx=1"].join(";")}`;
  });
}
