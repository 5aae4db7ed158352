/**
 * A consumer's client session: identity and conversation, added to the session core. A front end watches `store` and
 * calls the methods. No DOM.
 */
import { HTTPProblem } from "../core/api";
import type { Consumer } from "../core/api";
import { backoff } from "../core/backoff";
import type { Link } from "../core/connection";
import { STARTING } from "./consumer-state";
import type { PlaybackProgress } from "../conversation/events";
import type { ConsumerOptions, ConsumerState } from "./consumer-state";
import type { PlaybackProgressReporter } from "../conversation/playback-progress";
import { Identity } from "./identity";
import { isMessage } from "../core/outbox";
import type { Entry } from "../core/outbox";
import { Pages } from "../conversation/history-pages";
import type { TimerID } from "../core/ports";
import { SessionCore } from "../core/session-core";
import { newerSettings } from "../core/settings";
import { Store } from "../core/store";
import { delivered, emptyTimeline, listened, marked, newsOf, opened, said } from "../conversation/timeline";
import type { Timeline } from "../conversation/timeline";
import { consumerHello, parseFrame, renewFrame } from "../core/wire";
import { isTemporary } from "../../protocol/codes";
import type { Command, FrameOf, ServerFrame } from "../core/wire";

const RESEND_AFTER_MS = 2000;

/** The consumer's side of the protocol. */
export class ConsumerSession {
  /** What the front end shows. */
  readonly store = new Store<ConsumerState>(STARTING);
  readonly #options: ConsumerOptions;
  readonly #core: SessionCore;
  readonly #identity: Identity;
  readonly #pages: Pages;
  #startTimer: TimerID | undefined;
  #tries = 0;

  constructor(options: ConsumerOptions) {
    this.#options = options;
    this.#identity = new Identity(options);
    this.#core = new SessionCore(options, {
      parse: parseFrame,
      hello: () => this.#hello(),
      probe: () => this.#pages.probe(),
      progressKey: () => `${this.#identity.place}played`,
      cursor: () => this.store.get().timeline.cursor,
      receive: (frame) => this.#receive(frame),
      linkChanged: (link, code) => this.#linkChanged(link, code),
      outboxChanged: (pending) => this.store.set({ pending }),
      accepted: (entry, frame) => this.#accepted(entry, frame),
      refused: (entry, frame) => this.#refused(entry, frame),
      typing: (typing) => this.store.set({ typing }),
    });
    this.#pages = new Pages({
      clock: options.clock,
      send: (frame) => this.#core.send(frame, true),
      timeline: () => this.store.get().timeline,
      change: (timeline) => this.#change(timeline),
      loadingOlder: (loadingOlder) => this.store.set({ loadingOlder }),
    });
  }

  /** The prefix of everything that is stored for this consumer. */
  get place(): string {
    return this.#identity.place;
  }

  /** Takes what the players really played. */
  get playbackProgress(): PlaybackProgressReporter {
    return this.#core.playbackProgress;
  }

  /** The connection, for calls. */
  get channel(): Pick<SessionCore, "send" | "connection" | "calls"> {
    return this.#core;
  }

  /** Returns with the token that this device kept, or creates a new consumer. */
  async start(): Promise<void> {
    const kept = this.#identity.kept();
    if (kept) this.#begin(kept);
    try {
      this.#begin(await (kept ? this.#identity.comeBack(kept.token) : this.#identity.create()));
      this.#tries = 0;
    } catch (error) {
      this.#startFailed(error, kept !== undefined);
    }
  }

  /** Retries now whatever waits for its next attempt. */
  retryNow(): void {
    if (this.#startTimer !== undefined) {
      this.#options.clock.cancel(this.#startTimer);
      this.#startTimer = undefined;
      void this.start();
    }
    this.#core.connection.retryNow();
  }

  /** Disconnects. */
  stop(): void {
    this.#core.connection.stop();
  }

  /** Forgets the token and starts a new conversation. */
  async renew(): Promise<void> {
    this.stop();
    this.#identity.forget();
    this.playbackProgress.forget();
    this.store.set({ phase: "starting" });
    await this.start();
  }

  /** Continues with a newer token of the same consumer. */
  renewed(consumer: Consumer): void {
    this.store.set({ consumer });
    this.#core.send(renewFrame(consumer.token));
  }

  /** Sends a command. A `key` of its own (a recording's draft) makes it the same command after a crash. */
  say(command: Command, key?: string): void {
    this.#core.submit(command, undefined, key);
    this.#core.signals().out.sent();
  }

  /** Retries a refused message. */
  again(key: string): void {
    this.#core.retry(key);
  }

  /** Removes a refused message. */
  discard(key: string): void {
    this.#core.drop(key);
  }

  /** Says whether the consumer types. */
  typing(on: boolean): void {
    this.#core.signals().out.typing(on);
  }

  /** Everything that is loaded was on a visible screen. */
  seen(): void {
    const { timeline, read } = this.store.get();
    this.#core.signals().out.seen(newsOf(timeline, ME));
    if (timeline.cursor <= read) return;
    this.store.set({ read: timeline.cursor });
    this.#identity.note("read", String(timeline.cursor));
  }

  /** Requests older events, if there are any and no request is in flight. */
  older(): void {
    this.#pages.older();
  }

  /** The unsent text. It is stored, so that navigation between the brand's pages does not lose it. */
  get draft(): string {
    return this.#identity.noted("draft") ?? "";
  }

  set draft(text: string) {
    this.#identity.note("draft", text);
  }

  /** The key under which this page sent message `n`, if it did. */
  readonly keyOf = (n: number): string | undefined => this.#core.keyOf(n);

  // Identity

  #begin(consumer: Consumer): void {
    this.#identity.keep(consumer);
    if (!this.#core.hasOutbox || this.store.get().consumer?.conversation !== consumer.conversation)
      this.#enter(consumer);
    this.store.set({ phase: "ready", consumer, settings: newerSettings(this.store.get().settings, consumer.settings) });
    this.#core.connection.start();
  }

  /** Enters another conversation. Nothing of the former one may show in it. */
  #enter(consumer: Consumer): void {
    this.stop();
    const read = Number(this.#identity.noted("read") ?? 0) || 0;
    this.store.set({ loaded: false, timeline: emptyTimeline, read, expect: undefined });
    this.#core.openOutbox(`${this.#identity.place}out.${consumer.conversation}.`);
  }

  #startFailed(error: unknown, hasKept: boolean): void {
    const problem = error instanceof HTTPProblem ? error : new HTTPProblem(0, "", String(error));
    if (!problem.passes && problem.status !== 0) return this.store.set({ phase: "refused" });
    if (!hasKept) this.store.set({ phase: "unreachable" });
    const wait = Math.max(problem.retryAfter ?? 0, 1000) + backoff(this.#tries++, this.#options.random);
    this.#startTimer = this.#options.clock.after(wait, () => {
      this.#startTimer = undefined;
      void this.start();
    });
  }

  // The socket

  #hello(): string {
    const { consumer, timeline, settings } = this.store.get();
    const [after, epoch] = timeline.cursor > 0 ? [timeline.cursor, timeline.epoch] : [];
    return consumerHello(consumer?.token ?? "", after, epoch, settings.v || undefined);
  }

  #linkChanged(link: Link, code?: number): void {
    this.store.set({ link });
    if (link === "online") return;
    this.#pages.forget();
    if (link === "stopped" && code !== undefined) this.store.set({ phase: code === 4401 ? "ended" : "refused" });
  }

  #receive(frame: ServerFrame): void {
    const { timeline } = this.store.get();
    switch (frame.kind) {
      case "ready":
        if (!("me" in frame.ready)) break;
        this.#change(opened(timeline, frame.ready.epoch, frame.ready));
        // Who still waits receives an expectation after this frame. The one of before may be over.
        this.store.set({ loaded: true, expect: undefined });
        break;
      case "events": this.#change(delivered(timeline, frame.events, frame.through)); break;
      case "page": this.#pages.answered(frame.events, frame.more); this.#played(frame.played); break;
      case "marks": this.#change(marked(timeline, frame.marks)); break;
      case "played": this.#played(frame.played); break;
      case "settings": this.store.set({ settings: frame.settings }); break;
      case "expect": this.store.set({ expect: frame.expect }); break;
      default:
    }
  }

  #played(played: readonly PlaybackProgress[]): void {
    this.store.set({ timeline: listened(this.store.get().timeline, played) });
  }

  #change(timeline: Timeline): void {
    this.store.set({ timeline });
    this.#core.signals().out.reached(newsOf(timeline, ME));
    this.#pages.lookForHole();
  }

  // Answers to commands

  #accepted(entry: Entry, { n, at }: FrameOf<"ok">): void {
    const { command } = entry;
    if (command.kind === "text" || command.kind === "audio") this.#change(
      said(this.store.get().timeline, { n, at, by: ME, content: command })
    );
  }

  #refused(entry: Entry, frame: FrameOf<"no">): void {
    if (!isTemporary(frame.code)) {
      // The consumer can do nothing about a closing or a survey answer that came too late.
      return isMessage(entry) ? this.#core.keepRefused(frame) : this.#core.drop(frame.no);
    }
    this.#options.clock.after(RESEND_AFTER_MS + backoff(2, this.#options.random), () => this.#core.resend(frame.no));
  }
}

/** The consumer's participant number in every conversation. */
const ME = 1;
