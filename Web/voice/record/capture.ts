/** The microphone and MediaRecorder, behind a port: the recorder knows neither. */
import { diagnosed } from "./microphone-check";
import { LevelMeter } from "./level-meter";
import type { Level } from "./level-meter";
import type { Problem } from "./recording";

/** A microphone that is being recorded. */
export interface Capture {
  readonly mime: string;
  /** What the microphone calls itself. */
  readonly device: string;
  /** Loudness of this moment; `undefined` when the browser cannot tell. */
  level(): Level | undefined;
  /** Nothing is recorded until `resume`; what was said so far is given out. */
  pause(): void;
  resume(): void;
  /** Ends the recording and gives out its last piece; resolves when there are no more. The microphone is off then. */
  stop(): Promise<void>;
  /** Microphone off, now, whatever state this is in. May be called again. */
  release(): void;
  /** A short sound for someone who does not look: the limit is reached. */
  beep(): void;
}

/** What a capture reports. */
export interface CaptureEvents {
  piece(blob: Blob): void;
  /** The microphone went away. */
  lost(): void;
}

/** Opens the named microphone, or the default one. Throws a `CaptureProblem`. */
export type OpenCapture = (events: CaptureEvents, device?: string) => Promise<Capture>;

/** Why a microphone could not be opened. */
export class CaptureProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem);
  }
}

/** Tried in this order: covers Chromium, Firefox and WebKit. The last entry lets the browser choose. */
export const RECORDER_TYPES = [
  "audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4;codecs=mp4a.40.2", "audio/mp4", "",
] as const;
/** Without it Chromium takes 128 kbit/s, five times the bytes for no gain in speech. */
export const AUDIO_BITS_PER_SECOND = 28_000;
/** A piece leaves the device about once a second. */
export const TIMESLICE_MS = 1000;
const STOPS_WITHIN_MS = 3000;
/** Firefox grants a microphone before it delivers sound. The recording starts when sound arrives. */
const HEARS_WITHIN_MS = 2500;

/** The browser's microphone. It is asked for here and nowhere else, so only when a recording starts. */
export const openMicrophone: OpenCapture = async (events, device) => {
  if (!window.isSecureContext) throw new CaptureProblem("insecure");
  if (!navigator.mediaDevices?.getUserMedia || typeof MediaRecorder === "undefined")
    throw new CaptureProblem("unsupported");
  const stream = await asked(device);
  try {
    return await recorded(stream, events);
  } catch {
    for (const track of stream.getTracks()) track.stop();
    throw new CaptureProblem("unsupported");
  }
};

async function asked(device?: string): Promise<MediaStream> {
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 };
  try {
    return await navigator.mediaDevices.getUserMedia(
      { audio: device ? { ...audio, deviceId: { exact: device } } : audio }
    );
  } catch (error) {
    // The chosen microphone is unplugged: use the default one.
    if (device && error instanceof DOMException && (
      error.name === "OverconstrainedError" || error.name === "NotFoundError"
    )) return asked();
    throw new CaptureProblem(await diagnosed(error));
  }
}

/** A recorder, and the type that was asked for: empty where the browser chooses. */
function newRecorder(stream: MediaStream): [MediaRecorder, string] {
  const mimeType = RECORDER_TYPES.find((type) => type === "" || MediaRecorder.isTypeSupported(type)) ?? "";
  const options = { audioBitsPerSecond: AUDIO_BITS_PER_SECOND, ...(mimeType ? { mimeType } : {}) };
  return [new MediaRecorder(stream, options), mimeType];
}

/**
 * Where a recorder does not close the gap of a pause (WebKit), the gap holds silence and not what was said in the
 * room.
 */
function enable(tracks: readonly MediaStreamTrack[], on: boolean): void {
  for (const track of tracks) track.enabled = on;
}

async function recorded(stream: MediaStream, events: CaptureEvents): Promise<Capture> {
  const [recorder, mimeType] = newRecorder(stream);
  const tracks = stream.getTracks();
  const meter = new LevelMeter(stream);
  const release = (): void => {
    for (const track of tracks) track.stop();
    meter.release();
  };
  const ended = new Promise<void>((done) => recorder.addEventListener("stop", () => done()));
  recorder.addEventListener("dataavailable", (event) => events.piece(event.data));
  for (const track of tracks) track.addEventListener("ended", () => events.lost());
  await meter.sound(HEARS_WITHIN_MS);
  recorder.start(TIMESLICE_MS);
  return {
    mime: mimeType || recorder.mimeType,
    device: tracks[0]?.label ?? "",
    level: () => meter.level(),
    beep: () => meter.beep(),
    release,
    pause: () => {
      if (recorder.state !== "recording") return;
      recorder.requestData();
      recorder.pause();
      enable(tracks, false);
    },
    resume: () => {
      enable(tracks, true);
      if (recorder.state === "paused") recorder.resume();
    },
    stop: async () => {
      if (recorder.state !== "inactive") recorder.stop();
      // A recorder whose tracks ended stops on its own, and still emits its last chunk. The wait is bounded.
      await Promise.race([ended, new Promise<void>((done) => setTimeout(done, STOPS_WITHIN_MS))]);
      release();
    },
  };
}
