/**
 * One recording, from one press of the record button. Its bytes are in three places: here, on the device (for a crash)
 * and, as soon as the network lets them, on the server. It belongs to its conversation from its first moment, and to no
 * other ever.
 */
import { HTTPProblem } from "../../client/core/api";
import { backoff } from "../../client/core/backoff";
import type { AudioContent } from "../../client/conversation/events";
import { newID } from "../../client/core/keys";
import type { Clock, Random } from "../../client/core/ports";
import type { UploadAPI } from "../../client/core/upload-api";
import type { DraftBook, DraftHead, Intent, KeptDraft } from "../storage/drafts";
import { Upload } from "./upload";
import type { Progress } from "./upload";
import { ContainerSplitter } from "../play/container-splitter";

/** Whether the device stores it: yes, it is full, or this browser stores nothing. */
export type Retention = "kept" | "full" | "none";

/** How often a page tries to delete an upload on the server. */
const REMOVE_TRIES = 6;
const REMOVE_AGAIN_MS = 500;

/** What a session needs from its recorder. */
export interface RecordingSessionOptions {
  readonly uploads: UploadAPI;
  readonly drafts: DraftBook;
  readonly clock: Clock;
  readonly random: Random;
  readonly moved: (session: RecordingSession, progress: Progress) => unknown;
  readonly retention: (session: RecordingSession, retention: Retention) => unknown;
}

/** The bytes of one recording. */
export class RecordingSession {
  readonly levels: number[] = [];
  readonly #pieces: Blob[] = [];
  readonly #upload: Upload;
  /** Writes to the device, in order. */
  #device: Promise<void> = Promise.resolve();
  #keeps = true;
  #notedLevels = 0;
  readonly #cutter = new ContainerSplitter();
  /** What still has to be cut. */
  #cutting: Promise<void> = Promise.resolve();
  #gone = false;
  readonly #options: RecordingSessionOptions;

  private constructor(readonly head: DraftHead, options: RecordingSessionOptions, known = false) {
    this.#options = options;
    const { uploads, clock, random } = options;
    const place = { conversation: head.conversation, draft: head.id, mime: head.mime, known };
    this.#upload = new Upload(uploads, place, clock, random, (progress) => options.moved(this, progress));
  }

  /** A new one, for this conversation. */
  static begin(conversation: string, mime: string, options: RecordingSessionOptions): RecordingSession {
    const session = new RecordingSession({ id: newID(), conversation, mime }, options);
    session.#onDevice((drafts) => drafts.begin(session.head));
    return session;
  }

  /** One that an earlier page left on the device. */
  static found(draft: KeptDraft, options: RecordingSessionOptions): RecordingSession {
    const { id, conversation, mime } = draft;
    const session = new RecordingSession({ id, conversation, mime }, options, true);
    session.levels.push(...draft.levels);
    session.#notedLevels = session.levels.length;
    session.#pieces.push(...draft.pieces);
    if (draft.intent !== "delete") for (const piece of draft.pieces) session.#upload.add(piece);
    return session;
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** `ms`: how much was spoken when this piece ended. */
  add(piece: Blob, ms: number): void {
    this.#cutting = this.#cutting.then(
      async () => this.#put(this.#cutter.take(new Uint8Array(await piece.arrayBuffer())), ms)
    );
  }

  /** No more pieces come. */
  end(ms: number): void {
    this.#cutting = this.#cutting.then(() => this.#put(this.#cutter.last(), ms));
  }

  /** Resolves when every piece that came is where it belongs. */
  settled(): Promise<void> {
    return this.#cutting;
  }

  #put(bytes: Uint8Array, ms: number): void {
    if (bytes.length === 0 || this.#gone) return;
    const piece = new Blob([bytes], { type: this.head.mime });
    const index = this.#pieces.push(piece) - 1;
    const note = { ms, levels: this.levels.slice(this.#notedLevels) };
    this.#notedLevels = this.levels.length;
    this.#onDevice((drafts) => drafts.add(this.head, index, piece, note));
    this.#upload.add(piece);
  }

  /** What was recorded, to listen to before it is sent. */
  blob(): Blob {
    return new Blob(this.#pieces, { type: this.head.mime });
  }

  /** Everything is on the server; what the server made of it. Throws `HTTPProblem`, and may be tried again. */
  async finish(): Promise<AudioContent> {
    await this.#cutting;
    return this.#upload.finish();
  }

  retryNow(): void {
    this.#upload.retryNow();
  }

  /** What should happen to it if this page closed now. */
  intend(intent: Intent): void {
    this.#onDevice((drafts) => drafts.mark(this.head.id, intent));
    if (intent === "delete") this.#upload.rest();
    else this.#upload.goOn();
  }

  /** It is a message now: removes it from the device. */
  async sent(): Promise<void> {
    await this.#device;
    await this.#options.drafts.drop(this.head.id).catch(() => {});
  }

  /** Removes it everywhere. Where the server cannot be reached, the device remembers to tell it on the next page. */
  async remove(): Promise<void> {
    this.#gone = true;
    this.#pieces.length = 0;
    this.levels.length = 0;
    for (let tries = 0; tries < REMOVE_TRIES; tries++) {
      const problem = await this.#upload.abort().then(() => undefined, (error: unknown) => error);
      if (!mayPass(problem)) return this.sent();
      const { clock, random } = this.#options;
      await new Promise<void>((done) => clock.after(REMOVE_AGAIN_MS + backoff(tries, random), done));
    }
  }

  /** Stops persisting after the first write error: a draft with a gap is unusable past it. */
  #onDevice(run: (drafts: DraftBook) => Promise<void>): void {
    this.#device = this.#device.then(() => this.#kept(run));
  }

  async #kept(run: (drafts: DraftBook) => Promise<void>): Promise<void> {
    if (!this.#keeps) return;
    try {
      await run(this.#options.drafts);
      this.#options.retention(this, "kept");
    } catch (error) {
      this.#keeps = false;
      this.#options.retention(
        this, error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "none",
      );
    }
  }
}

/** A server that is just finishing an upload cannot remove it yet, and one that does not respond may respond later. */
const mayPass = (error: unknown): boolean => error instanceof HTTPProblem && (
  error.passes || error.code === "upload_finished"
);
