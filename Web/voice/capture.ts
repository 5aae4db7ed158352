/** The microphone and MediaRecorder, behind a port: the recorder knows neither. */
import type { Problem } from "./recording";

/** A microphone that is being recorded. */
export interface Capture {
  readonly mime: string;
  /** Loudness of this moment, 0 to 100; `undefined` when the browser cannot tell. */
  level(): number | undefined;
  /** Ends the recording and gives out its last piece; resolves when there are no more. The microphone is off then. */
  stop(): Promise<void>;
  /** Microphone off, now, whatever state this is in. May be called again. */
  release(): void;
  /** A short sound for someone who does not look: the limit is reached. */
  beep(): void;
}

export interface CaptureEvents {
  piece(blob: Blob): void;
  /** The microphone went away. */
  lost(): void;
}

/** Opens the microphone. Throws a `CaptureProblem`. */
export type OpenCapture = (events: CaptureEvents) => Promise<Capture>;

export class CaptureProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem);
  }
}

/** Tried in this order: covers Chromium, Firefox and WebKit. The last entry lets the browser choose. */
export const RECORDER_TYPES = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4;codecs=mp4a.40.2", "audio/mp4", ""] as const;
/** Without it Chromium takes 128 kbit/s, five times the bytes for no gain in speech. */
export const AUDIO_BITS_PER_SECOND = 28_000;
/** A piece leaves the device about once a second. */
export const TIMESLICE_MS = 1000;
/** Softer than this is silence on the meter, in dB of full scale. */
const FLOOR_DB = -58;
const CEILING_DB = -8;

/** The browser's microphone. It is asked for here and nowhere else, so only when a recording starts. */
export const openMicrophone: OpenCapture = async (events) => {
  if (!window.isSecureContext) throw new CaptureProblem("insecure");
  if (!navigator.mediaDevices?.getUserMedia || typeof MediaRecorder === "undefined") throw new CaptureProblem("unsupported");
  const stream = await asked();
  try {
    return recorded(stream, events);
  } catch {
    for (const track of stream.getTracks()) track.stop();
    throw new CaptureProblem("unsupported");
  }
};

async function asked(): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 } });
  } catch (error) {
    throw new CaptureProblem(problemOf(error instanceof DOMException ? error.name : ""));
  }
}

function problemOf(name: string): Problem {
  if (name === "NotAllowedError" || name === "SecurityError") return policyForbids() ? "blocked" : "denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "missing";
  return name === "NotReadableError" || name === "AbortError" ? "busy" : "failed";
}

/** The embedding page, and not the person, keeps the microphone away. Only some browsers tell. */
function policyForbids(): boolean {
  const policy = (document as { featurePolicy?: { allowsFeature(name: string): boolean } }).featurePolicy;
  return policy?.allowsFeature("microphone") === false;
}

function recorded(stream: MediaStream, events: CaptureEvents): Capture {
  const mimeType = RECORDER_TYPES.find((type) => type === "" || MediaRecorder.isTypeSupported(type)) ?? "";
  const recorder = new MediaRecorder(stream, { audioBitsPerSecond: AUDIO_BITS_PER_SECOND, ...(mimeType ? { mimeType } : {}) });
  const meter = new Meter(stream);
  const release = (): void => {
    for (const track of stream.getTracks()) track.stop();
    meter.release();
  };
  const ended = new Promise<void>((done) => recorder.addEventListener("stop", () => done()));
  recorder.addEventListener("dataavailable", (event) => events.piece(event.data));
  for (const track of stream.getTracks()) track.addEventListener("ended", () => events.lost());
  recorder.start(TIMESLICE_MS);
  return {
    mime: mimeType || recorder.mimeType,
    level: () => meter.level(),
    beep: () => meter.beep(),
    release,
    stop: async () => {
      if (recorder.state !== "inactive") {
        recorder.stop();
        await ended;
      }
      release();
    },
  };
}

/** Loudness by WebAudio. Listens only; nothing of it reaches the loudspeaker but the beep. */
class Meter {
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

  level(): number | undefined {
    if (!this.#analyser || this.#context?.state !== "running") return undefined;
    this.#analyser.getFloatTimeDomainData(this.#samples);
    const power = this.#samples.reduce((sum, x) => sum + x * x, 0) / this.#samples.length;
    const db = 10 * Math.log10(power + 1e-12);
    return Math.min(100, Math.max(0, ((db - FLOOR_DB) / (CEILING_DB - FLOOR_DB)) * 100));
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
    if (context && context.state !== "closed") setTimeout(() => void context.close().catch(() => {}), BEEP_SECONDS * 1000 + 50);
  }
}

const BEEP_SECONDS = 0.3;
