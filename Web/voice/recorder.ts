/**
 * Records, uploads while recording, and hands a finished voice message on. The microphone is open only in the state
 * `recording`; every way out of it closes the microphone. The destination is fixed when the recording starts, so a message
 * can never land in a conversation that was opened later.
 */
import { HTTPProblem } from "../client/api";
import type { UploadAPI } from "../client/upload-api";
import type { AudioContent } from "../client/events";
import { newID } from "../client/keys";
import type { Clock, Random, TimerID } from "../client/ports";
import { Store } from "../client/store";
import { CaptureProblem } from "./capture";
import type { Capture, OpenCapture } from "./capture";
import { after, IDLE } from "./recording";
import type { Act, Ending, Problem, Recording } from "./recording";
import { Upload } from "./upload";

export interface RecorderState {
  readonly recording: Recording;
  /** Whole seconds spoken so far. */
  readonly seconds: number;
  /** Seconds left, once it is worth saying. */
  readonly left?: number | undefined;
  /** Nothing was heard for a while. */
  readonly silent: boolean;
  /** How much of it the server has, 0 to 1. */
  readonly share: number;
}

export interface RecorderOptions {
  readonly open: OpenCapture;
  readonly uploads: UploadAPI;
  readonly clock: Clock;
  readonly random: Random;
  /** Longest message in milliseconds; asked when a recording starts. */
  readonly limitMs: () => number;
  /** The message is on the server: say it in the conversation for which it was recorded. */
  readonly deliver: (conversation: string, audio: AudioContent) => void;
}

/** How often the level is taken: one bar of the live waveform. */
export const LEVEL_EVERY_MS = 80;
/** From here on the remaining time is shown. */
export const SHOW_LEFT_MS = 15_000;
/** The recorder stops this much before the limit: the server counts decoded samples, and stopping takes a moment. */
export const LIMIT_MARGIN_MS = 400;
const SILENT_AFTER_MS = 3000;
/** Below this, a level is no voice. */
const HEARD_LEVEL = 8;

export class Recorder {
  readonly store = new Store<RecorderState>({ recording: IDLE, seconds: 0, silent: false, share: 0 });
  #peaks: number[] = [];
  #pieces: Blob[] = [];
  #take = 0;
  #capture: Capture | undefined;
  #upload: Upload | undefined;
  #stopping: Promise<void> = Promise.resolve();
  #timer: TimerID | undefined;
  #conversation = "";
  #limit = Infinity;
  #heardAt = 0;

  constructor(private readonly with_: RecorderOptions) {}

  /** Levels so far, one for every `LEVEL_EVERY_MS`. */
  get levels(): readonly number[] {
    return this.#peaks;
  }

  /** What was recorded, to listen to before it is sent. */
  blob(): Blob {
    return new Blob(this.#pieces, { type: this.#pieces[0]?.type ?? "" });
  }

  /** Asks for the microphone and records for `conversation`. */
  async start(conversation: string): Promise<void> {
    if (!this.#act({ act: "ask" })) return;
    const take = this.#begin(conversation);
    let capture: Capture;
    try {
      capture = await this.with_.open({
        piece: (blob) => this.#take === take && this.#piece(blob),
        lost: () => this.#take === take && void this.stop("lost"),
      });
    } catch (error) {
      if (this.#take === take) this.#act({ act: "denied", problem: error instanceof CaptureProblem ? error.problem : "failed" });
      return;
    }
    if (this.#take !== take) return capture.release(); // Cancelled while the browser was asking.
    this.#granted(capture);
  }

  /** Asks again for the same conversation, after the microphone was refused. */
  restart(): Promise<void> {
    return this.start(this.#conversation);
  }

  /** Stops, to listen first. */
  async stop(ending: Ending = "person"): Promise<void> {
    const capture = this.#capture;
    if (!this.#act({ act: "stop", at: this.with_.clock.now(), ending }) || !capture) return;
    this.#untick();
    if (ending === "limit") capture.beep();
    this.#capture = undefined;
    this.#stopping = capture.stop().finally(() => capture.release());
    await this.#stopping;
  }

  /** Sends it: straight away, after listening, or again after a failure. */
  async send(): Promise<void> {
    const stopped = this.stop();
    if (!this.#act({ act: "send" })) return;
    await stopped;
    await this.#stopping;
    const [upload, take, conversation] = [this.#upload, this.#take, this.#conversation];
    try {
      const audio = await upload?.finish();
      if (this.#take !== take || !audio) return;
      this.with_.deliver(conversation, audio);
      this.#act({ act: "sent" });
      this.#forget();
    } catch (error) {
      if (this.#take === take) this.#act({ act: "failed", problem: problemOf(error) });
    }
  }

  /** Deletes it, here and on the server. While it is being sent it is too late. */
  cancel(): void {
    if (!this.#act({ act: "cancel" })) return;
    const [capture, upload] = [this.#capture, this.#upload];
    this.#forget();
    capture?.release();
    void capture?.stop().catch(() => {});
    void upload?.abort();
  }

  /** The page goes away or the widget closes: never leave a microphone open. What was said is kept for listening. */
  hush(): void {
    if (this.store.get().recording.phase === "asking") this.cancel();
    void this.stop();
  }

  #begin(conversation: string): number {
    this.#forget();
    this.#conversation = conversation;
    this.#limit = this.with_.limitMs();
    return this.#take;
  }

  /** What still arrives from the take before finds nobody. */
  #forget(): void {
    this.#take += 1;
    this.#untick();
    this.#capture = undefined;
    this.#upload = undefined;
    this.#peaks = [];
    this.#pieces = [];
    this.store.set({ seconds: 0, left: undefined, silent: false, share: 0 });
  }

  #granted(capture: Capture): void {
    const { uploads, clock, random } = this.with_;
    this.#capture = capture;
    const place = { conversation: this.#conversation, draft: newID(), mime: capture.mime };
    const take = this.#take;
    this.#upload = new Upload(uploads, place, clock, random, (share) => this.#take === take && this.store.set({ share }));
    for (const piece of this.#pieces) this.#upload.add(piece);
    this.#heardAt = clock.now();
    this.#act({ act: "granted", at: clock.now() });
    this.#tick();
  }

  #piece(blob: Blob): void {
    if (blob.size === 0) return;
    this.#pieces.push(blob);
    this.#upload?.add(blob);
  }

  #tick(): void {
    const { recording } = this.store.get();
    if (recording.phase !== "recording") return;
    const now = this.with_.clock.now();
    const spoken = now - recording.since;
    const left = this.#limit - spoken;
    if (left <= LIMIT_MARGIN_MS) return void this.stop("limit");
    const level = this.#capture?.level();
    this.#peaks.push(level ?? 0);
    if (level === undefined || level >= HEARD_LEVEL) this.#heardAt = now;
    this.store.set({
      seconds: Math.floor(spoken / 1000),
      left: left <= SHOW_LEFT_MS ? Math.ceil(left / 1000) : undefined,
      silent: now - this.#heardAt >= SILENT_AFTER_MS,
    });
    this.#timer = this.with_.clock.after(LEVEL_EVERY_MS, () => this.#tick());
  }

  #untick(): void {
    if (this.#timer !== undefined) this.with_.clock.cancel(this.#timer);
    this.#timer = undefined;
  }

  #act(act: Act): boolean {
    const { recording } = this.store.get();
    const next = after(recording, act);
    this.store.set({ recording: next });
    return next !== recording;
  }
}

function problemOf(error: unknown): Problem {
  if (!(error instanceof HTTPProblem)) return "failed";
  if (error.passes) return "network";
  const known: Record<string, Problem> = { audio_too_long: "tooLong", audio_too_large: "tooLarge", audio_empty: "empty" };
  return known[error.code] ?? "failed";
}
