/** The level of a microphone, by WebAudio. Nothing but the beep reaches the loudspeaker. */

/** A reading of the meter. */
export interface Level {
  /** 0 (silence) to 100 (as loud as it gets). */
  readonly loud: number;
  /** It was cut off at the top. */
  readonly clips: boolean;
}

/** Softer than this is silence on the meter, in dB of full scale. */
const QUIETEST_DB = -58;
const CEILING_DB = -8;
/** A sample beyond this share of full scale was cut off. One alone may be chance. */
const CLIP_AT = 0.99;
const CLIPPED_SAMPLES = 4;
const BEEP_SECONDS = 0.3;
const LOOK_AGAIN_MS = 20;

/** Measures one stream. */
export class LevelMeter {
  readonly #context: AudioContext | undefined;
  readonly #analyser: AnalyserNode | undefined;
  readonly #samples = new Float32Array(1024);

  constructor(stream: MediaStream) {
    try {
      this.#context = new AudioContext();
      this.#analyser = this.#context.createAnalyser();
      this.#analyser.fftSize = this.#samples.length;
      this.#context.createMediaStreamSource(stream).connect(this.#analyser);
      void this.#context.resume().catch(() => {});
    } catch {
      // No meter: the recording works without.
    }
  }

  level(): Level | undefined {
    if (!this.#analyser || this.#context?.state !== "running") return undefined;
    this.#analyser.getFloatTimeDomainData(this.#samples);
    return levelOf(this.#samples);
  }

  /**
   * Resolves when sound comes, be it the softest noise; or after `most` milliseconds, for a muted microphone gives
   * nothing but zeros.
   */
  async sound(most: number): Promise<void> {
    const end = performance.now() + most;
    while (this.#analyser && performance.now() < end) {
      this.#analyser.getFloatTimeDomainData(this.#samples);
      if (this.#samples.some((x) => x !== 0)) return;
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    }
  }

  beep(): void {
    if (!this.#context) return;
    const gain = this.#context.createGain();
    const tone = this.#context.createOscillator();
    const now = this.#context.currentTime;
    gain.gain.setValueAtTime(0.12, now);
    gain.gain.exponentialRampToValueAtTime(0.001, now + BEEP_SECONDS);
    tone.frequency.value = 660;
    tone.connect(gain).connect(this.#context.destination);
    tone.start(now);
    tone.stop(now + BEEP_SECONDS);
  }

  /** Waits for the beep to be over. */
  release(): void {
    const context = this.#context;
    if (context && context.state !== "closed") setTimeout(
      () => void context.close().catch(() => {}), BEEP_SECONDS * 1000 + 50,
    );
  }
}

/** The level of these samples, -1 to 1. */
export function levelOf(samples: Float32Array): Level {
  let power = 0;
  let clipped = 0;
  for (const x of samples) {
    power += x * x;
    if (Math.abs(x) >= CLIP_AT) clipped += 1;
  }
  const db = 10 * Math.log10(power / Math.max(1, samples.length) + 1e-12);
  return {
    loud: Math.min(100, Math.max(0, ((db - QUIETEST_DB) / (CEILING_DB - QUIETEST_DB)) * 100)),
    clips: clipped >= CLIPPED_SAMPLES,
  };
}
