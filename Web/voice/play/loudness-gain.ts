/**
 * Normalizes the loudness of messages. Attenuation uses the element's volume; amplification needs WebAudio, which is
 * used only where it runs: otherwise the plain element plays, a little softer.
 */

/** Where all voices should be, in LUFS. */
export const TARGET_LUFS = -16;
/** Less than this is not played as a difference. */
export const AUDIBLE_DB = 1.5;
/** More would bring up the noise. */
export const MOST_DB = 14;
const RUNS_WITHIN_MS = 300;

/** What to add to a sound of this loudness (tenths of LUFS), in dB; 0 where it is fine or unknown. */
export function correction(loud: number | undefined): number {
  if (loud === undefined || !Number.isFinite(loud)) return 0;
  const db = TARGET_LUFS - loud / 10;
  return Math.abs(db) < AUDIBLE_DB ? 0 : Math.min(MOST_DB, db);
}

/** The amplitude factor of a gain in dB. */
export const factor = (db: number): number => 10 ** (db / 20);

/** Plays all messages equally loud. Messages that need amplification share one AudioContext. */
export class LoudnessGain {
  #context: AudioContext | undefined;

  /**
   * Brings `audio` to the target. Called from the gesture that plays it: before one, a browser lets no AudioContext
   * run.
   */
  async apply(audio: HTMLAudioElement, loud: number | undefined): Promise<void> {
    const db = correction(loud);
    if (db <= 0) {
      audio.volume = Math.min(1, factor(db));
      return;
    }
    const running = await this.#running();
    if (!running) return;
    const [source, gain, limiter] = [
      running.createMediaElementSource(audio), running.createGain(), running.createDynamicsCompressor(),
    ];
    gain.gain.value = factor(db);
    limiter.threshold.value = -3;
    limiter.ratio.value = 20;
    limiter.attack.value = 0.002;
    source.connect(gain).connect(limiter).connect(running.destination);
  }

  async #running(): Promise<AudioContext | undefined> {
    try {
      const context = (this.#context ??= newContext());
      const timeout = new Promise<void>((done) => setTimeout(done, RUNS_WITHIN_MS));
      await Promise.race([context.resume().catch(() => {}), timeout]);
      return context.state === "running" ? context : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Resumes itself: after a phone call or a change of device, what already plays through it would stay silent. */
function newContext(): AudioContext {
  const context = new AudioContext({ latencyHint: "playback" });
  context.addEventListener("statechange", () => context.state === "suspended" && void context.resume().catch(() => {}));
  return context;
}
