/** Finds the silences of a voice message in its decoded samples. */
import type { Span } from "../../client/conversation/events";
import { silencesIn } from "./silences";

/** A sample rate that is enough to tell speech from silence, and quick to decode. */
const RATE = 16_000;
/** The most messages whose silences are remembered. */
const MOST_MESSAGES = 100;

/** Decodes each message once, and remembers the silences of the newest ones. */
export class SilenceDetector {
  readonly #known = new Map<string, Promise<readonly Span[] | undefined>>();

  /** Returns `undefined` where the bytes cannot be fetched or decoded: the silences of the waveform have to do then. */
  find(media: string, bytes: () => Promise<ArrayBuffer>): Promise<readonly Span[] | undefined> {
    const known = this.#known.get(media);
    if (known) return known;
    const found = decoded(bytes).catch(() => {
      this.#known.delete(media);
      return undefined;
    });
    this.#known.set(media, found);
    for (const old of [...this.#known.keys()].slice(
      0, Math.max(0, this.#known.size - MOST_MESSAGES),
    )) this.#known.delete(old);
    return found;
  }
}

async function decoded(bytes: () => Promise<ArrayBuffer>): Promise<readonly Span[]> {
  const context = new OfflineAudioContext(1, 1, RATE);
  const sound = await context.decodeAudioData(await bytes());
  return silencesIn(sound.getChannelData(0), sound.sampleRate);
}
