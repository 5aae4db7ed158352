/**
 * Records for one conversation, uploads while recording, and delivers the finished voice message. A recorder belongs to
 * one conversation for good: whatever else is opened meanwhile, its recordings can only be sent there. The microphone
 * is open only in the states `recording` and `paused`; every way out of them closes it.
 */
import { Timeout } from "../../client/core/timeout";
import { Store } from "../../client/core/store";
import { CaptureProblem } from "./capture";
import type { Capture } from "./capture";
import type { KeptDraft } from "../storage/drafts";
import { LIMIT_MARGIN_MS, NOTHING, PAUSE_MOST_MS, problemOf, SHOW_LEFT_MS, UNDO_MS } from "./recorder-state";
import type { RecorderOptions, RecorderState } from "./recorder-state";
import { after, IDLE, spokenMs } from "./recording";
import type { Act, Ending, Recording } from "./recording";
import { RecordingSession } from "./recording-session";
import type { RecordingSessionOptions } from "./recording-session";
import { LevelMonitor } from "./level-monitor";

/** The recorder of one conversation. */
export class Recorder {
  readonly store = new Store<RecorderState>({ recording: IDLE, ...NOTHING });
  readonly #monitor: LevelMonitor;
  #session: RecordingSession | undefined;
  /** Counts the sessions: late results of an earlier one are ignored. */
  #turn = 0;
  /** Counts the sends: one that was held back or deleted delivers nothing. */
  #sends = 0;
  #capture: Capture | undefined;
  #stopping: Promise<void> = Promise.resolve();
  readonly #timeout: Timeout;
  readonly #options: RecorderOptions;

  constructor(readonly conversation: string, options: RecorderOptions) {
    this.#options = options;
    this.#timeout = new Timeout(options.clock);
    this.#monitor = new LevelMonitor(options.clock, (now) => this.#seen(now));
  }

  get recording(): Recording {
    return this.store.get().recording;
  }

  /** The chosen microphone. */
  get device(): string {
    return this.#options.microphone.device;
  }

  /** Levels so far, one for each step of the meter. */
  get levels(): readonly number[] {
    return this.#session?.levels ?? [];
  }

  /** What was recorded, to listen to before it is sent. */
  async blob(): Promise<Blob> {
    await this.#stopping;
    await this.#session?.settled();
    return this.#session?.blob() ?? new Blob();
  }

  /** Opens the panel; nothing is recorded yet. */
  arm(): void {
    if (this.recording.phase === "deleted") this.#removeNow();
    this.#act({ act: "arm" });
  }

  /** Asks for the microphone and records. */
  async start(): Promise<void> {
    if (this.recording.phase === "deleted") this.#removeNow();
    if (!this.#act({ act: "ask" })) return;
    this.#forget();
    const turn = this.#turn;
    const forbidden = this.#options.forbids();
    if (forbidden !== undefined) return void this.#act({ act: "denied", problem: forbidden });
    let capture: Capture;
    let session: RecordingSession | undefined;
    try {
      capture = await this.#options.open({
        piece: (blob) => session?.add(blob, spokenMs(this.recording, this.#options.clock.now())),
        lost: () => this.#turn === turn && void this.stop("lost"),
      }, this.#options.microphone.device);
    } catch (error) {
      const problem = error instanceof CaptureProblem ? error.problem : "failed";
      if (this.#turn === turn) this.#act({ act: "denied", problem });
      return;
    }
    if (this.#turn !== turn) return capture.release(); // Given up while the browser was asking.
    session = this.#granted(capture);
  }

  pause(): void {
    if (!this.#act({ act: "pause", at: this.#options.clock.now() })) return;
    this.#monitor.stop();
    this.#capture?.pause();
    this.store.set({ silent: false, clips: false });
    this.#timeout.start(PAUSE_MOST_MS, () => void this.stop("long"));
  }

  resume(): void {
    const now = this.#options.clock.now();
    if (!this.#act({ act: "resume", at: now })) return;
    this.#timeout.cancel();
    this.#capture?.resume();
    this.#monitor.start();
  }

  /** Stops, to listen first. */
  async stop(ending: Ending = "person"): Promise<void> {
    const capture = this.#capture;
    if (!this.#act({ act: "stop", at: this.#options.clock.now(), ending }) || !capture) return;
    if (ending === "limit") capture.beep();
    this.#close(capture);
    await this.#stopping;
  }

  /** Switches to another microphone. A recording with sound is kept; one without sound starts over. */
  async changeMicrophone(device: string): Promise<void> {
    this.#options.microphone.device = device;
    if (this.recording.phase !== "recording") return;
    if (this.#monitor.played) return this.stop("device");
    this.delete();
    this.#removeNow();
    await this.start();
  }

  /** Sends the recording: at once, after listening, or again after a failure. Network outages only delay it. */
  async send(): Promise<void> {
    const stopped = this.stop();
    if (!this.#act({ act: "send" })) return;
    const [session, send] = [this.#session, ++this.#sends];
    session?.intend("send");
    this.store.set({ stalled: false });
    // Pieces still come while the recorder stops; they belong to this session.
    await stopped;
    await this.#stopping;
    try {
      const audio = await session?.finish();
      if (this.#sends !== send || !audio || !session) return;
      this.#options.deliver(this.conversation, audio, session.head.id);
      this.#act({ act: "sent" });
      this.#forget();
      await session.sent();
    } catch (error) {
      if (this.#sends !== send) return;
      session?.intend("keep");
      this.#act({ act: "failed", problem: problemOf(error) });
    }
  }

  /** Cancels sending while it waits for the network. */
  hold(): void {
    if (!this.#act({ act: "hold" })) return;
    this.#sends += 1;
    this.#session?.intend("keep");
  }

  /** The network may be back. */
  retryNow(): void {
    this.#session?.retryNow();
  }

  /** Deletes the recording; for some seconds that can be undone. The microphone is off at once. */
  delete(): void {
    const capture = this.#capture;
    if (!this.#act({ act: "delete", at: this.#options.clock.now() })) return;
    this.#sends += 1;
    if (capture) this.#close(capture);
    this.#session?.intend("delete");
    this.#timeout.start(UNDO_MS, () => this.#removeNow());
  }

  /** Undoes a deletion. */
  undo(): void {
    if (!this.#act({ act: "undo" })) return;
    this.#timeout.cancel();
    this.#session?.intend("keep");
  }

  /** Closes a panel in which nothing was said. */
  close(): void {
    if (this.recording.phase === "deleted") return this.#removeNow();
    if (!this.#act({ act: "close" })) return;
    this.#forget();
  }

  /** The page goes away or the widget closes: never leave a microphone open. What was said is kept for listening. */
  stopCapture(): void {
    if (this.recording.phase === "asking" || this.recording.phase === "armed") this.close();
    void this.stop("left");
  }

  /** Takes a draft that an earlier page left on the device: to review, to send, or to remove. */
  found(draft: KeptDraft): void {
    if (this.recording.phase !== "idle") return;
    this.#forget();
    this.#session = RecordingSession.found(draft, this.#sessionOptions());
    if (draft.intent === "delete" || this.#session.isEmpty) return void this.#removed();
    this.#act({ act: "found", ms: draft.ms });
    this.store.set({ seconds: Math.floor(draft.ms / 1000) });
    if (draft.intent === "send") void this.send();
  }

  /** The person signed out: turns the microphone off and removes everything. */
  async wipe(): Promise<void> {
    const [capture, session] = [this.#capture, this.#session];
    this.#forget();
    this.store.set({ recording: IDLE });
    capture?.release();
    await session?.remove();
  }

  /** Ends the current session: its late results are ignored. */
  #forget(): void {
    this.#turn += 1;
    this.#sends += 1;
    this.#timeout.cancel();
    this.#monitor.stop();
    this.#capture = undefined;
    this.#session = undefined;
    this.store.set(NOTHING);
  }

  #granted(capture: Capture): RecordingSession {
    const session = RecordingSession.begin(this.conversation, capture.mime, this.#sessionOptions());
    [this.#capture, this.#session] = [capture, session];
    this.store.set({ device: capture.device });
    this.#act({ act: "granted", at: this.#options.clock.now() });
    this.#monitor.begin(capture, session.levels, this.#options.limitMs());
    return session;
  }

  #sessionOptions(): RecordingSessionOptions {
    const tell = (session: RecordingSession, news: Partial<RecorderState>): unknown =>
      session === this.#session && this.store.set(news);
    return { ...this.#options, moved: tell, retention: (session, retention) => tell(session, { retention }) };
  }

  /** Takes the level monitor's readings. */
  #seen(now: number): void {
    const left = this.#monitor.limitMs - spokenMs(this.recording, now);
    if (left <= LIMIT_MARGIN_MS + this.#monitor.lateness) return void this.stop("limit");
    this.store.set({
      seconds: Math.floor(spokenMs(this.recording, now) / 1000),
      left: left <= SHOW_LEFT_MS ? Math.ceil(left / 1000) : undefined,
      silent: this.#monitor.silent,
      clips: this.#monitor.clips,
    });
  }

  /** Ends the capture; its last piece still comes. */
  #close(capture: Capture): void {
    this.#timeout.cancel();
    this.#monitor.stop();
    this.#capture = undefined;
    this.store.set({ left: undefined, silent: false, clips: false });
    const [session, ms] = [this.#session, spokenMs(this.recording, this.#options.clock.now())];
    this.#stopping = capture.stop().catch(() => {}).finally(() => {
      capture.release();
      session?.end(ms);
    });
  }

  #removeNow(): void {
    this.#act({ act: "close" });
    this.#removed();
  }

  #removed(): void {
    const session = this.#session;
    this.#forget();
    void session?.remove();
  }

  #act(act: Act): boolean {
    const { recording } = this.store.get();
    const next = after(recording, act);
    this.store.set({ recording: next });
    return next !== recording;
  }
}
