/**
 * A consumer's side of one conversation: token, connection, timeline, outbox and signals, put together.
 * Whoever draws it watches `store` and calls the verbs. No DOM.
 */
import { HTTPProblem } from "../core/api";
import type { Consumer } from "../core/api";
import { backoff } from "../core/backoff";
import { Connection } from "../core/connection";
import type { Link } from "../core/connection";
import { STARTING } from "./consumer-state";
import type { PlaybackProgress } from "../conversation/events";
import type { ConsumerOptions, ConsumerState } from "./consumer-state";
import { Hearing } from "../conversation/playback-progress";
import { Identity } from "./identity";
import { KeyMaker } from "../core/keys";
import { entryFrame, Outbox } from "../core/outbox";
import type { Entry } from "../core/outbox";
import { Pages } from "../conversation/history-pages";
import type { TimerID } from "../core/ports";
import { newerSettings } from "../core/settings";
import { Signals, TypingList } from "../conversation/ephemeral-signals";
import { Store } from "../core/store";
import { delivered, emptyTimeline, listened, marked, newsOf, opened, said } from "../conversation/timeline";
import type { Timeline } from "../conversation/timeline";
import { consumerHello, parseFrame } from "../core/wire";
import { isTemporary } from "../../protocol/codes";
import type { Command, ServerFrame } from "../core/wire";

const RESEND_AFTER_MS = 2000;

export class ConsumerSession {
  readonly store = new Store<ConsumerState>(STARTING);
  /** Told by the players what was really played. */
  readonly hearing: Hearing;

  readonly #keys: KeyMaker;
  readonly #identity: Identity;
  readonly #connection: Connection;
  readonly #signals: Signals;
  readonly #typists: TypingList;
  readonly #pages: Pages;
  /** Keys of what this page said, by number: keeps a bubble's identity when it turns from pending into sent. */
  readonly #keysByNumber = new Map<number, string>();
  #outbox: Outbox | undefined;
  /** What was said before we know who says it. */
  readonly #early: { command: Command; key: string }[] = [];
  #startTimer: TimerID | undefined;
  #tries = 0;

  constructor(private readonly with_: ConsumerOptions) {
    this.#keys = new KeyMaker(with_.random);
    this.#identity = new Identity(with_);
    this.#signals = new Signals(with_.clock, (frame) => this.#connection.send(frame));
    this.hearing = new Hearing({
      clock: with_.clock, storage: with_.storage, send: (frame) => this.#connection.send(frame), place: () => `${this.#identity.place}played`,
    });
    this.#typists = new TypingList(with_.clock, (typing) => this.store.set({ typing }));
    this.#pages = new Pages({
      clock: with_.clock,
      send: (frame) => this.#connection.send(frame, true),
      timeline: () => this.store.get().timeline,
      change: (timeline) => this.#change(timeline),
      loadingOlder: (loadingOlder) => this.store.set({ loadingOlder }),
    });
    this.#connection = new Connection({
      open: with_.socket,
      clock: with_.clock,
      random: with_.random,
      hello: () => this.#hello(),
      probe: () => this.#pages.probe(),
      parse: parseFrame,
      frame: (frame) => this.#received(frame),
      link: (link, code) => this.#linked(link, code),
    });
  }

  /** Comes back with the token that this device kept, or makes a new consumer. */
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

  /** Tries now what waits for its next try. */
  nudge(): void {
    if (this.#startTimer !== undefined) {
      this.with_.clock.cancel(this.#startTimer);
      this.#startTimer = undefined;
      void this.start();
    }
    this.#connection.nudge();
  }

  stop(): void {
    this.#connection.stop();
  }

  /** Forgets the token and begins a new conversation. */
  async renew(): Promise<void> {
    this.#connection.stop();
    this.#identity.forget();
    this.hearing.forget();
    this.store.set({ phase: "starting" });
    await this.start();
  }

  /** `key`: where what is said has one of its own (a recording's draft), so that after a crash it is the same message again. */
  say(command: Command, key: string = this.#keys.next()): void {
    if (!this.#outbox) this.#early.push({ command, key });
    const entry = this.#outbox?.add(key, command, this.with_.clock.now());
    if (entry) this.#out(entry);
    this.#signals.sent();
  }

  /** "Try again" on a refused message. */
  again(key: string): void {
    const entry = this.#outbox?.again(key, this.#keys.next(), this.with_.clock.now());
    if (entry) this.#out(entry);
  }

  discard(key: string): void {
    this.#outbox?.drop(key);
  }

  typing(on: boolean): void {
    this.#signals.typing(on);
  }

  /** Everything that is loaded was on a visible screen. */
  seen(): void {
    const { timeline, read } = this.store.get();
    this.#signals.seen(newsOf(timeline, ME));
    if (timeline.cursor <= read) return;
    this.store.set({ read: timeline.cursor });
    this.#identity.note("read", String(timeline.cursor));
  }

  /** Asks for older events, if there are any and none are on their way. */
  older(): void {
    this.#pages.older();
  }

  /** The unsent text, kept so that a walk through the brand's pages does not lose it. */
  get draft(): string {
    return this.#identity.noted("draft") ?? "";
  }

  set draft(text: string) {
    this.#identity.note("draft", text);
  }

  readonly keyOf = (n: number): string | undefined => this.#keysByNumber.get(n);

  // Who am I

  #begin(consumer: Consumer): void {
    this.#identity.keep(consumer);
    if (this.#outbox === undefined || this.store.get().consumer?.conversation !== consumer.conversation) this.#enter(consumer);
    this.store.set({ phase: "ready", consumer, settings: newerSettings(this.store.get().settings, consumer.settings) });
    this.#connection.start();
  }

  /** Another conversation: nothing of the former one may show in it. */
  #enter(consumer: Consumer): void {
    this.#connection.stop();
    const place = `${this.#identity.place}out.${consumer.conversation}.`;
    const outbox: Outbox = new Outbox(this.with_.storage, place, () => this.store.set({ pending: outbox.all() }));
    this.#outbox = outbox;
    const read = Number(this.#identity.noted("read") ?? 0) || 0;
    this.store.set({ loaded: false, timeline: emptyTimeline, pending: outbox.all(), read, expect: undefined });
    for (const { command, key } of this.#early.splice(0)) this.say(command, key);
  }

  #startFailed(error: unknown, hasKept: boolean): void {
    const problem = error instanceof HTTPProblem ? error : new HTTPProblem(0, "", String(error));
    if (!problem.passes && problem.status !== 0) return this.store.set({ phase: "refused" });
    if (!hasKept) this.store.set({ phase: "unreachable" });
    const wait = Math.max(problem.retryAfter ?? 0, 1000) + backoff(this.#tries++, this.with_.random);
    this.#startTimer = this.with_.clock.after(wait, () => {
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

  #linked(link: Link, code?: number): void {
    this.store.set({ link });
    if (link === "online") return;
    this.#pages.forget();
    this.#typists.clear();
    if (link === "stopped" && code !== undefined) this.store.set({ phase: code === 4401 ? "ended" : "refused" });
  }

  #received(frame: ServerFrame): void {
    const { timeline } = this.store.get();
    switch (frame.kind) {
      case "ready":
        this.#change(opened(timeline, frame.epoch, frame.snapshot));
        // Who still waits is told so after this.
        this.store.set(frame.snapshot.status === "closed" ? { loaded: true, expect: undefined } : { loaded: true });
        this.#signals.reconnected();
        this.hearing.reconnected();
        for (const entry of this.#outbox?.unanswered() ?? []) this.#out(entry);
        break;
      case "events":
        for (const event of frame.events) this.#typists.stopped(event.by);
        this.#change(delivered(timeline, frame.events, frame.through));
        break;
      case "page": this.#pages.answered(frame.events, frame.more); this.#played(frame.played); break;
      case "marks": this.#change(marked(timeline, frame.marks)); break;
      case "played": this.#played(frame.played); break;
      case "settings": this.store.set({ settings: frame.settings }); break;
      case "expect": this.store.set({ expect: frame.expect }); break;
      case "typing": this.#typists.played(frame.by, frame.off); break;
      case "ok": this.#accepted(frame.key, frame.n, frame.at); break;
      case "no": this.#refused(frame.key, frame.code, frame.text); break;
      default:
    }
  }

  #played(played: readonly PlaybackProgress[]): void {
    this.store.set({ timeline: listened(this.store.get().timeline, played) });
  }

  #change(timeline: Timeline): void {
    this.store.set({ timeline });
    this.#signals.reached(newsOf(timeline, ME));
    this.#pages.lookForHole();
  }

  // What I say

  #out(entry: Entry): void {
    if (!this.#connection.online) return;
    this.#outbox?.wentOut(entry.key, this.store.get().timeline.cursor);
    this.#connection.send(entryFrame(entry, isSaid(entry.command) ? this.#signals.takeRead() : undefined), true);
  }

  #accepted(key: string, n: number, at: number): void {
    const entry = this.#outbox?.accepted(key);
    if (!entry) return;
    const { command } = entry;
    this.#keysByNumber.set(n, key);
    if (!isSaid(command)) return;
    this.#change(said(this.store.get().timeline, { n, at, by: ME, content: command }));
  }

  #refused(key: string, code: string, text: string): void {
    if (!isTemporary(code)) {
      // Nobody can do anything about an end or an answer that came too late.
      if (this.store.get().pending.some((entry) => entry.key === key && !isSaid(entry.command))) return this.#outbox?.drop(key);
      return this.#outbox?.refused(key, code, text);
    }
    this.with_.clock.after(RESEND_AFTER_MS + backoff(2, this.with_.random), () => {
      const entry = this.#outbox?.unanswered().find((other) => other.key === key);
      if (entry) this.#out(entry);
    });
  }
}

/** A message, and no wish. */
const isSaid = (command: Command): command is Extract<Command, { kind: "text" | "audio" }> => command.kind === "text" || command.kind === "audio";

/** The consumer's number in every conversation. */
const ME = 1;
