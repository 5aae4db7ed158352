/** Finds the silences of a voice message in its decoded samples, once per message. */
import type { Span } from "../../client/conversation/events";
import { silencesIn } from "./silences";

/** Enough to tell speech from silence, and quick. */
const RATE = 16_000;
/** So many messages are remembered. */
const KEEP = 100;

const known = new Map<string, Promise<readonly Span[] | undefined>>();

/** `undefined` where the bytes cannot be had or decoded: the waveform has to do. */
export function learnSilences(media: string, bytes: () => Promise<ArrayBuffer>): Promise<readonly Span[] | undefined> {
  const held = known.get(media);
  if (held) return held;
  const found = decoded(bytes).catch(() => {
    known.delete(media);
    return undefined;
  });
  known.set(media, found);
  for (const old of [...known.keys()].slice(0, Math.max(0, known.size - KEEP))) known.delete(old);
  return found;
}

async function decoded(bytes: () => Promise<ArrayBuffer>): Promise<readonly Span[]> {
  const context = new OfflineAudioContext(1, 1, RATE);
  const sound = await context.decodeAudioData(await bytes());
  return silencesIn(sound.getChannelData(0), sound.sampleRate);
}
