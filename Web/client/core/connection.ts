/**
 * A WebSocket that reconnects. A state machine: every input is a method, time and randomness are arguments.
 *
 * It says hello, waits for the server's `ready`, passes every frame on, notices a dead connection, and reconnects with
 * back-off and full jitter until it is stopped or the server refuses this client for good.
 */
import { backoff } from "./backoff";
import type { Clock, Random, SocketLike, TimerID } from "./ports";
import type { FrameParser, ServerFrame } from "./wire";

/** `waiting`: between two tries. `stopped`: never again, unless `start` is called. */
export type Link = "idle" | "connecting" | "online" | "waiting" | "stopped";

/** Thrown by `hello` without valid credentials: the connection stops and does not reconnect. */
export class SignedOut extends Error {}

/** What a connection needs from its session. */
export interface ConnectionOptions {
  readonly open: () => SocketLike;
  readonly clock: Clock;
  readonly random: Random;
  /** Makes the first frame of an attempt: the cursor moves, and a ticket is valid once. */
  readonly hello: () => string | Promise<string>;
  /**
   * Makes a frame that the server always answers. Sent after a long silence, because a page cannot see WebSocket pings.
   */
  readonly probe: () => string;
  /** `parseFrame` for consumers, `parseAgentFrame` for agents. */
  readonly parse: FrameParser;
  readonly frame: (frame: ServerFrame) => void;
  /** `code` is the close code where the server gave one. */
  readonly link: (link: Link, code?: number) => void;
}

/** After this time without a frame the client sends a probe. After `SILENT_MS` without one the connection is dead. */
export const QUIET_MS = 55_000;
/** After this time without a frame the connection is dead. */
export const SILENT_MS = 75_000;
/** From opening a socket to the server's `ready`. */
export const READY_WITHIN_MS = 12_000;
/** A frame that the server has to answer is answered within this time, or the connection is dead. */
export const ANSWER_WITHIN_MS = 15_000;

/** Close codes for missing credentials and a forbidden origin. A reconnect would get the same answer. */
const FINAL_CODES = [4401, 4403];
const TOO_MANY_FRAMES = 4429;
/** After 4429 the first wait is drawn as if this many tries had failed. */
const TRIES_WHEN_TOO_MANY = 4;

/** Keeps one socket open. */
export class Connection {
  #state: Link = "idle";
  #socket: SocketLike | undefined;
  #tries = 0;
  #byeAfter = 0;
  #receivedAt = 0;
  #answerDueAt: number | undefined;
  #retryTimer: TimerID | undefined;
  #timeoutTimer: TimerID | undefined;
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get online(): boolean {
    return this.#state === "online";
  }

  start(): void {
    if (this.#state === "idle" || this.#state === "stopped") this.#connect();
  }

  stop(): void {
    this.#abandon();
    this.#cancelRetry();
    this.#move("stopped");
  }

  /** Reconnects now: the network or the page is back. */
  retryNow(): void {
    if (this.#state !== "waiting") return;
    this.#cancelRetry();
    this.#connect();
  }

  /** Sends when online. Returns false where it was not sent; the caller sends it again after the next `ready`. */
  send(text: string, expectsAnswer = false): boolean {
    if (this.#state !== "online" || !this.#socket) return false;
    this.#socket.send(text);
    if (expectsAnswer) this.#expectAnswer();
    return true;
  }

  #connect(): void {
    this.#move("connecting");
    void Promise.resolve()
      .then(() => this.#options.hello())
      .then((hello) => this.#state === "connecting" && this.#dial(hello), (error) => this.#helloFailed(error));
  }

  #helloFailed(error: unknown): void {
    if (this.#state !== "connecting") return;
    if (error instanceof SignedOut) this.stop();
    else this.#lost();
  }

  #dial(hello: string): void {
    let socket: SocketLike;
    try {
      socket = this.#options.open();
    } catch {
      return this.#lost();
    }
    this.#socket = socket;
    this.#byeAfter = 0;
    this.#receivedAt = this.#options.clock.now();
    this.#answerDueAt = this.#receivedAt + READY_WITHIN_MS;
    this.#armTimeout();
    socket.onopen = () => this.#socket === socket && socket.send(hello);
    socket.onmessage = (message) => this.#socket === socket && this.#receive(String(message.data));
    socket.onclose = (event) => this.#socket === socket && this.#lost(event.code);
    socket.onerror = () => {};
  }

  #receive(text: string): void {
    this.#receivedAt = this.#options.clock.now();
    const frame = this.#options.parse(text);
    if (this.#state === "online") this.#answerDueAt = undefined;
    if (!frame) return;
    if (frame.kind === "bye") this.#byeAfter = frame.bye.after ?? 0;
    if (frame.kind === "ready") {
      this.#tries = 0;
      this.#answerDueAt = undefined;
      this.#move("online");
    }
    this.#options.frame(frame);
  }

  #lost(code?: number): void {
    this.#abandon();
    if (code !== undefined && FINAL_CODES.includes(code)) return this.#move("stopped", code);
    if (code === TOO_MANY_FRAMES) this.#tries = Math.max(this.#tries, TRIES_WHEN_TOO_MANY);
    const wait = this.#byeAfter + backoff(this.#tries++, this.#options.random);
    this.#move("waiting", code);
    this.#retryTimer = this.#options.clock.after(wait, () => {
      this.#retryTimer = undefined;
      this.#connect();
    });
  }

  /** Drops the socket first, so that nothing it still delivers is handled. */
  #abandon(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    if (this.#timeoutTimer !== undefined) this.#options.clock.cancel(this.#timeoutTimer);
    this.#timeoutTimer = undefined;
    socket?.close(1000);
  }

  #cancelRetry(): void {
    if (this.#retryTimer !== undefined) this.#options.clock.cancel(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  #expectAnswer(): void {
    const by = this.#options.clock.now() + ANSWER_WITHIN_MS;
    this.#answerDueAt = Math.min(this.#answerDueAt ?? by, by);
    this.#armTimeout();
  }

  /** One timer for the earliest deadline: an answer, the next probe, or the end of the connection. */
  #armTimeout(): void {
    if (this.#timeoutTimer !== undefined) this.#options.clock.cancel(this.#timeoutTimer);
    const due = this.#answerDueAt ?? this.#receivedAt + QUIET_MS;
    this.#timeoutTimer = this.#options.clock.after(
      Math.max(0, due - this.#options.clock.now()), () => this.#checkTimeout(),
    );
  }

  #checkTimeout(): void {
    this.#timeoutTimer = undefined;
    const now = this.#options.clock.now();
    if (now >= (this.#answerDueAt ?? Infinity)) return this.#lost();
    if (this.#answerDueAt === undefined && now - this.#receivedAt >= QUIET_MS) {
      this.#socket?.send(this.#options.probe());
      this.#answerDueAt = this.#receivedAt + SILENT_MS;
    }
    this.#armTimeout();
  }

  #move(link: Link, code?: number): void {
    if (this.#state === link) return;
    this.#state = link;
    this.#options.link(link, code);
  }
}
