/**
 * A recording on its way to the server while it is being spoken. Pieces are kept here until the server has them all, so that
 * a lost connection costs nothing: the upload goes on where the server says it stands.
 */
import { HTTPProblem } from "../client/api";
import type { UploadAPI } from "../client/upload-api";
import { backoff } from "../client/backoff";
import type { AudioContent } from "../client/events";
import type { Clock, Random } from "../client/ports";

/** One request carries at most this much. */
export const PIECE_BYTES = 512 * 1024;
/** Failures in a row after which a send gives up and says so. While the person still speaks, it never gives up. */
export const TRIES_WHEN_SENDING = 6;
const RETRY_FIRST_MS = 400;
const RETRY_MOST_MS = 8000;

export interface UploadPlace {
  readonly conversation: string;
  /** Names this take: the same draft is the same upload. */
  readonly draft: string;
  readonly mime: string;
}

export class Upload {
  readonly #parts: Blob[] = [];
  #total = 0;
  #received = 0;
  #id: string | undefined;
  #failures = 0;
  #running: Promise<void> | undefined;
  #sending = false;
  #dropped = false;
  #problem: HTTPProblem | undefined;
  /** Ends the wait before the next try. */
  #wake: () => void = () => {};

  constructor(
    private readonly api: UploadAPI,
    private readonly place: UploadPlace,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly moved: (share: number) => void = () => {},
  ) {}

  /** Takes the next piece. Some recorders hand out empty ones. */
  add(piece: Blob): void {
    if (piece.size === 0 || this.#dropped) return;
    this.#parts.push(piece);
    this.#total += piece.size;
    this.#run();
  }

  /** Sends the rest and closes the upload. Throws `HTTPProblem`; may be called again after that, and goes on from there. */
  async finish(): Promise<AudioContent> {
    this.#sending = true;
    this.#problem = undefined;
    this.#failures = 0;
    this.#wake();
    if (this.#total === 0) throw new HTTPProblem(422, "audio_empty", "");
    try {
      await this.#run();
      if (this.#problem) throw this.#problem;
      return await this.#tried(() => this.api.finish(this.#id ?? "", this.#total));
    } finally {
      this.#sending = false;
    }
  }

  /** Nothing remains, here or there. */
  async abort(): Promise<void> {
    this.#dropped = true;
    this.#parts.length = 0;
    this.#wake();
    await this.#running?.catch(() => {});
    if (this.#id !== undefined) await this.api.abort(this.#id).catch(() => {});
  }

  #run(): Promise<void> {
    this.#running ??= this.#push().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #push(): Promise<void> {
    try {
      while (!this.#dropped && (this.#id === undefined || this.#received < this.#total)) await this.#tried(() => this.#step());
    } catch (error) {
      this.#problem = error instanceof HTTPProblem ? error : new HTTPProblem(0, "network", String(error));
    }
  }

  async #step(): Promise<void> {
    if (this.#id === undefined) {
      const opened = await this.api.open(this.place.conversation, this.place.draft, this.place.mime);
      [this.#id, this.#received] = [opened.upload, opened.received];
      return;
    }
    const piece = new Blob(this.#parts).slice(this.#received, this.#received + PIECE_BYTES);
    this.#received = await this.#appended(this.#id, piece);
    this.moved(this.#total === 0 ? 0 : this.#received / this.#total);
  }

  /** The server stands elsewhere than we thought (a lost answer): it says where, and we go on from there. */
  async #appended(id: string, piece: Blob): Promise<number> {
    try {
      return await this.api.append(id, this.#received, piece);
    } catch (error) {
      const stands = error instanceof HTTPProblem && error.code === "upload_gap" ? error.body["received"] : undefined;
      if (typeof stands !== "number") throw error;
      return stands;
    }
  }

  async #tried<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const value = await run();
        this.#failures = 0;
        return value;
      } catch (error) {
        if (!(error instanceof HTTPProblem) || !error.passes || this.#dropped) throw error;
        this.#failures += 1;
        if (this.#sending && this.#failures >= TRIES_WHEN_SENDING) throw error;
        await this.#wait(Math.max(error.retryAfter ?? 0, RETRY_FIRST_MS / 2 + backoff(this.#failures - 1, this.random, RETRY_FIRST_MS, RETRY_MOST_MS)));
      }
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = this.clock.after(ms, done);
      this.#wake = () => {
        this.clock.cancel(timer);
        done();
      };
    });
  }
}
