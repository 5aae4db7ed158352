/**
 * What a consumer's and an agent's session share: the connection, commands until the server answers them, receipts,
 * typing and reports of playback. Each session adds its own frames and its own state.
 */
import { Connection } from "./connection";
import type { Link } from "./connection";
import { KeyMaker } from "./keys";
import { entryFrame, isMessage, Outbox } from "./outbox";
import type { Entry } from "./outbox";
import type { Clock, KeyValue, Random, SocketLike } from "./ports";
import type { Command, FrameOf, FrameParser, ServerFrame } from "./wire";
import { Signals, TypingList } from "../conversation/ephemeral-signals";
import { PlaybackProgressReporter } from "../conversation/playback-progress";

/** The outside world, as every session needs it. */
export interface SessionPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly storage: KeyValue;
  /** Opens a new socket. */
  readonly socket: () => SocketLike;
}

/** What a session adds to the core. `c` is the conversation; a consumer has only one and leaves it out. */
export interface SessionRole {
  /** Reads the frames that this role receives. */
  readonly parse: FrameParser;
  /** Makes the first frame of a connection. */
  readonly hello: () => string | Promise<string>;
  /** Makes a frame that the server always answers. */
  readonly probe: () => string;
  /** Returns the storage key for playback that was not reported yet. */
  readonly progressKey: () => string;
  /** Returns the cursor of the conversation's timeline. */
  readonly cursor: (c?: string) => number;
  /** Takes a frame that is no answer to a command. */
  readonly receive: (frame: ServerFrame) => void;
  /**
   * The connection was opened again, and the frame that opened it was received. Unanswered commands go out after this.
   */
  readonly reconnected?: () => void;
  /** The state of the connection changed. */
  readonly linkChanged: (link: Link, code?: number) => void;
  /** Unanswered commands changed. */
  readonly outboxChanged: (entries: readonly Entry[]) => void;
  /** The server stored a command. */
  readonly accepted: (entry: Entry, frame: FrameOf<"ok">) => void;
  /** The server refused a command, which is still in the outbox. */
  readonly refused: (entry: Entry, frame: FrameOf<"no">) => void;
  /** The participants `by` type now. */
  readonly typing: (by: readonly number[], c?: string) => void;
}

/** The ephemeral signals of one conversation, in both directions. */
interface ConversationSignals {
  readonly out: Signals;
  readonly typing: TypingList;
}

/** The connection of a session and everything that goes out on it again after a reconnect. */
export class SessionCore {
  /** The WebSocket that reconnects. */
  readonly connection: Connection;
  /** Takes what the players really played. */
  readonly playbackProgress: PlaybackProgressReporter;
  /** Takes the frames that are no answers to commands; set where there may be a call. */
  calls: ((frame: ServerFrame) => void) | undefined;
  readonly #ports: SessionPorts;
  readonly #role: SessionRole;
  readonly #keys: KeyMaker;
  readonly #signals = new Map<string | undefined, ConversationSignals>();
  /** Keys of the messages that this page sent, by conversation and number. */
  readonly #sentKeys = new Map<string, string>();
  /** Commands that were given before there was an outbox. */
  readonly #early: Parameters<SessionCore["submit"]>[] = [];
  #outbox: Outbox | undefined;

  constructor(ports: SessionPorts, role: SessionRole) {
    const { clock, random, storage, socket } = ports;
    this.#ports = ports;
    this.#role = role;
    this.#keys = new KeyMaker(random);
    this.playbackProgress = new PlaybackProgressReporter(
      { clock, storage, place: role.progressKey, send: (frame) => this.send(frame) }
    );
    this.connection = new Connection({
      open: socket, clock, random, hello: role.hello, probe: role.probe, parse: role.parse,
      frame: (frame) => this.#receive(frame), link: (link, code) => this.#linkChanged(link, code),
    });
  }

  /** Whether there is an outbox that commands go into. */
  get hasOutbox(): boolean {
    return this.#outbox !== undefined;
  }

  /**
   * Opens the outbox that is stored under `prefix`, and submits what was given before. Receipts of the outbox before
   * end.
   */
  openOutbox(prefix: string): void {
    const outbox: Outbox = new Outbox(this.#ports.storage, prefix, () => this.#role.outboxChanged(outbox.all()));
    this.#outbox = outbox;
    this.#sentKeys.clear();
    for (const { out } of this.#signals.values()) out.forget();
    this.#role.outboxChanged(outbox.all());
    for (const command of this.#early.splice(0)) this.submit(...command);
  }

  /** Sends a frame when online. `expectsAnswer`: without an answer the connection counts as lost. */
  send(frame: string, expectsAnswer = false): boolean {
    return this.connection.send(frame, expectsAnswer);
  }

  /** Stores a command and sends it. A `key` of its own makes it the same command after a crash. */
  submit(command: Command, c?: string, key: string = this.#keys.next()): void {
    if (this.#outbox) this.#transmit(this.#outbox.add(key, command, this.#ports.clock.now(), c));
    else this.#early.push([command, c, key]);
  }

  /** Sends a refused command again: under its own key where the server may have stored it, else under a new one. */
  retry(key: string, sameKey = false): void {
    const entry = this.#outbox?.retry(key, sameKey ? key : this.#keys.next(), this.#ports.clock.now());
    if (entry) this.#transmit(entry);
  }

  /** Sends an unanswered command again under its own key. */
  resend(key: string): void {
    const entry = this.entry(key);
    if (entry && !entry.refused) this.#transmit(entry);
  }

  /** Keeps a command in the outbox, marked as refused, until a person retries or drops it. */
  keepRefused({ no, code, text }: FrameOf<"no">): void {
    this.#outbox?.refused(no, code, text);
  }

  /** Removes a command from the outbox. */
  drop(key: string): void {
    this.#outbox?.drop(key);
  }

  /** Removes every command from the outbox. */
  dropAll(): void {
    for (const { key } of this.#outbox?.all() ?? []) this.drop(key);
  }

  /** The command in the outbox with this key. */
  entry(key: string): Entry | undefined {
    return this.#outbox?.all().find((entry) => entry.key === key);
  }

  /** The key under which this page sent message `n`, if it did. */
  keyOf(n: number, c?: string): string | undefined {
    return this.#sentKeys.get(sentName(n, c));
  }

  /** The ephemeral signals of a conversation. */
  signals(c?: string): ConversationSignals {
    const known = this.#signals.get(c);
    if (known) return known;
    const { clock } = this.#ports;
    const made = {
      out: new Signals(clock, (frame) => this.send(frame), c),
      typing: new TypingList(clock, (by) => this.#role.typing(by, c)),
    };
    this.#signals.set(c, made);
    return made;
  }

  /** Forgets the signals of a conversation that is no longer open. */
  forgetSignals(c: string): void {
    this.#signals.delete(c);
  }

  #transmit(entry: Entry): void {
    if (!this.connection.online) return;
    const { key, c } = entry;
    this.#outbox?.wentOut(key, this.#role.cursor(c));
    this.send(entryFrame(entry, isMessage(entry) ? this.signals(c).out.takeRead() : undefined), true);
  }

  #receive(frame: ServerFrame): void {
    switch (frame.kind) {
      case "ok": return this.#accepted(frame);
      case "no": {
        const entry = this.entry(frame.no);
        return entry && this.#role.refused(entry, frame);
      }
      case "typing": return this.signals(frame.c).typing.receive(frame.typing, frame.off === true);
      case "events":
        for (const { by } of frame.events) this.signals(frame.c).typing.stopped(by);
    }
    this.calls?.(frame);
    this.#role.receive(frame);
    if (frame.kind === "ready") this.#resume();
  }

  #accepted(frame: FrameOf<"ok">): void {
    const entry = this.#outbox?.accepted(frame.ok);
    if (!entry) return;
    this.#sentKeys.set(sentName(frame.n, entry.c), frame.ok);
    this.#role.accepted(entry, frame);
  }

  /** A new connection: what the old one carried may never have arrived. */
  #resume(): void {
    for (const { out } of this.#signals.values()) out.reconnected();
    this.#role.reconnected?.();
    for (const entry of this.#outbox?.unanswered() ?? []) this.#transmit(entry);
    this.playbackProgress.reconnected();
  }

  #linkChanged(link: Link, code?: number): void {
    if (link !== "online") for (const { typing } of this.#signals.values()) typing.clear();
    this.#role.linkChanged(link, code);
  }
}

const sentName = (n: number, c = ""): string => `${c} ${n}`;
