/**
 * Uploads a recording while it is being made. Pieces stay in memory until the server has them all: after a lost
 * connection the upload continues where the server says.
 */
import { HTTPProblem } from "../../client/core/api";
import { backoff } from "../../client/core/backoff";
import type { AudioContent } from "../../client/conversation/events";
import type { Clock, Random } from "../../client/core/ports";
import type { UploadAPI } from "../../client/core/upload-api";

/** The largest request. It starts smaller, and stays below the size at which a connection failed. */
const PIECE_BYTES = 512 * 1024;
const FIRST_PIECE_BYTES = 64 * 1024;
const LEAST_PIECE_BYTES = 8 * 1024;
/**
 * The number of consecutive "try later" responses after which sending fails. Without any response it keeps trying: the
 * network may return. It also keeps trying while the recording continues.
 */
export const TRIES_WHEN_SENDING = 6;
/** How often an upload that the server has forgotten is restarted from the first byte. */
const BEGINS = 3;
const RETRY_FIRST_MS = 400;
const RETRY_MOST_MS = 8000;

/** The conversation and draft that an upload belongs to. */
export interface UploadPlace {
  readonly conversation: string;
  /** Names this session: the same draft is the same upload. */
  readonly draft: string;
  readonly mime: string;
  /** An earlier page may have begun it. */
  readonly known?: boolean;
}

/** The progress of an upload. */
export interface Progress {
  /** How much of what there is the server has, 0 to 1. */
  readonly share: number;
  /** The server does not respond. The upload continues when the network is back. */
  readonly stalled: boolean;
}

/** The resumable upload of one recording. */
export class Upload {
  readonly #parts: Blob[] = [];
  #total = 0;
  #received = 0;
  #piece = FIRST_PIECE_BYTES;
  #most = PIECE_BYTES;
  #id: string | undefined;
  #failures = 0;
  #begun = 0;
  #running: Promise<void> | undefined;
  #sending = false;
  #dropped = false;
  #problem: HTTPProblem | undefined;
  /** Ends the wait before the next try. */
  #wake: () => void = () => {};
  readonly #api: UploadAPI;
  readonly #place: UploadPlace;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #moved: (progress: Progress) => void;

  constructor(
    api: UploadAPI,
    place: UploadPlace,
    clock: Clock,
    random: Random,
    moved: (progress: Progress) => void = () => {},
  ) {
    this.#api = api;
    this.#place = place;
    this.#clock = clock;
    this.#random = random;
    this.#moved = moved;
  }

  /** Takes the next piece. Some recorders hand out empty ones. */
  add(piece: Blob): void {
    if (piece.size === 0) return;
    this.#parts.push(piece);
    this.#total += piece.size;
    if (!this.#dropped) void this.#run();
  }

  /** Uploads the rest and finishes. Throws `HTTPProblem`; may be called again, and continues from there. */
  async finish(): Promise<AudioContent> {
    this.#sending = true;
    this.#problem = undefined;
    this.#failures = 0;
    this.retryNow();
    if (this.#total === 0) throw new HTTPProblem(422, "audio_empty", "");
    try {
      return await this.#finished();
    } finally {
      this.#sending = false;
    }
  }

  /** Retries now: the network may be back. */
  retryNow(): void {
    this.#wake();
  }

  /** Pauses the upload while a deletion can be undone. */
  rest(): void {
    this.#dropped = true;
    this.retryNow();
  }

  /** Resumes after an undone deletion. */
  goOn(): void {
    this.#dropped = false;
    void this.#run();
  }

  /** Removes the upload. Throws where the server could not be reached: then it has to be told later. */
  async abort(): Promise<void> {
    this.rest();
    this.#parts.length = 0;
    await this.#running?.catch(() => {});
    // The draft names the upload, also one of an earlier page: asking for it again gives its id.
    if (this.#begun === 0 && !this.#place.known) return;
    const id = this.#id ?? (await this.#api.open(this.#place.conversation, this.#place.draft, this.#place.mime)).upload;
    await this.#api.abort(id).catch(unlessGone);
  }

  async #finished(): Promise<AudioContent> {
    for (;;) {
      await this.#run();
      if (this.#problem) throw this.#problem;
      if (this.#dropped) throw new HTTPProblem(0, "dropped", "");
      try {
        // The server may have more than this device: a piece that went out in the moment of a crash, before it was
        // written down.
        return await this.#tried(() => this.#api.finish(this.#id ?? "", Math.max(this.#total, this.#received)));
      } catch (error) {
        if (!this.#again(error)) throw error;
      }
    }
  }

  #run(): Promise<void> {
    this.#running ??= this.#push().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #push(): Promise<void> {
    try {
      while (!this.#dropped && (
        this.#id === undefined || this.#received < this.#total
      )) await this.#tried(() => this.#step());
    } catch (error) {
      this.#problem = error instanceof HTTPProblem ? error : new HTTPProblem(0, "network", String(error));
    }
  }

  async #step(): Promise<void> {
    if (this.#id === undefined) {
      this.#begun += 1;
      const opened = await this.#api.open(this.#place.conversation, this.#place.draft, this.#place.mime);
      [this.#id, this.#received] = [opened.upload, opened.received];
      return;
    }
    const piece = new Blob(this.#parts).slice(this.#received, this.#received + this.#piece);
    try {
      this.#received = await this.#appended(this.#id, piece);
      this.#piece = Math.min(this.#most, this.#piece * 2);
    } catch (error) {
      this.#most = Math.max(LEAST_PIECE_BYTES, this.#piece / 2);
      this.#piece = Math.max(LEAST_PIECE_BYTES, this.#piece / 4);
      if (!this.#again(error)) throw error;
    }
  }

  /** The server's offset differs from ours (a response was lost): it says which, and the upload continues there. */
  async #appended(id: string, piece: Blob): Promise<number> {
    try {
      return await this.#api.append(id, this.#received, piece);
    } catch (error) {
      const stands = error instanceof HTTPProblem && error.code === "upload_gap" ? error.body["received"] : undefined;
      if (typeof stands !== "number") throw error;
      return stands;
    }
  }

  /** The server forgot the upload (it expired, or the server was restored): everything is still here, so restart it. */
  #again(error: unknown): boolean {
    const forgotten = error instanceof HTTPProblem && (error.code === "not_found" || error.code === "upload_gap");
    if (!forgotten || this.#dropped || this.#begun >= BEGINS) return false;
    [this.#id, this.#received] = [undefined, 0];
    return true;
  }

  async #tried<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const value = await run();
        this.#failures = 0;
        this.#tell(false);
        return value;
      } catch (error) {
        if (!(error instanceof HTTPProblem) || !mayPass(error) || this.#dropped) throw error;
        this.#failures += 1;
        if (this.#sending && error.status !== 0 && this.#failures >= TRIES_WHEN_SENDING) throw error;
        this.#tell(true);
        await this.#wait(
          Math.max(
            error.retryAfter ?? 0,
            RETRY_FIRST_MS / 2 + backoff(this.#failures - 1, this.#random, RETRY_FIRST_MS, RETRY_MOST_MS),
          )
        );
        if (this.#dropped) throw error;
      }
    }
  }

  #tell(stalled: boolean): void {
    this.#moved({ share: this.#total === 0 ? 0 : Math.min(1, this.#received / this.#total), stalled });
  }

  #wait(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = this.#clock.after(ms, done);
      this.#wake = () => {
        this.#clock.cancel(timer);
        done();
      };
    });
  }
}

/** Whether the same request may succeed later. Bytes that were damaged on the way are sent again. */
const mayPass = (error: HTTPProblem): boolean => error.passes || error.code === "digest_mismatch";

/** An upload that does not exist need not be removed. */
function unlessGone(error: unknown): void {
  if (!(error instanceof HTTPProblem) || error.status !== 404) throw error;
}
