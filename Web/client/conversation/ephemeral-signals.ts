/** Ephemeral signals: delivered, read, typing. Coalesced, because each frame costs a phone more than its bytes. */
import type { Clock, TimerID } from "../core/ports";
import { gotFrame, readFrame, typingFrame } from "../core/wire";

/** A read receipt waits this long: a reply that is sent at once carries it along. */
export const READ_AFTER_MS = 300;
/** A delivery receipt is less urgent than a read receipt. */
export const GOT_AFTER_MS = 1000;
/** While someone types, it is sent this often. */
export const TYPING_EVERY_MS = 3000;
/** Without a new signal, typing ends after this time. */
export const TYPING_FADES_MS = 6000;

/** Sends the receipts and typing signals of one conversation. */
export class Signals {
  #got = 0;
  #read = 0;
  #sentGot = 0;
  #sentRead = 0;
  #timer: TimerID | undefined;
  #typedAt: number | undefined;
  readonly #clock: Clock;
  readonly #send: (frame: string) => boolean;
  readonly #c: string | undefined;

  /** `send` returns whether the frame went out. */
  constructor(clock: Clock, send: (frame: string) => boolean, c?: string) {
    this.#clock = clock;
    this.#send = send;
    this.#c = c;
  }

  /** Everything through `n` reached this device. */
  reached(n: number): void {
    if (n <= this.#got) return;
    this.#got = n;
    this.#plan(GOT_AFTER_MS);
  }

  /** Everything through `n` was seen by a person. */
  seen(n: number): void {
    if (n <= this.#read) return;
    this.#read = n;
    this.#got = Math.max(this.#got, n);
    if (this.#timer !== undefined) this.#clock.cancel(this.#timer);
    this.#timer = undefined;
    this.#plan(READ_AFTER_MS);
  }

  /** The read receipt to put into a message that is sent now, if it is new. */
  takeRead(): number | undefined {
    if (this.#read <= this.#sentRead) return undefined;
    this.#sentRead = this.#read;
    this.#sentGot = Math.max(this.#sentGot, this.#read);
    return this.#read;
  }

  /**
   * A key was pressed (`true`), or the draft was given up (`false`). A sent message implies the end of typing: `sent`.
   */
  typing(on: boolean): void {
    const now = this.#clock.now();
    if (on && this.#typedAt !== undefined && now - this.#typedAt < TYPING_EVERY_MS) return;
    if (!on && this.#typedAt === undefined) return;
    if (this.#send(typingFrame(on, this.#c))) this.#typedAt = on ? now : undefined;
  }

  /** A message was sent: the other side stops showing typing on its own. */
  sent(): void {
    this.#typedAt = undefined;
  }

  /** A new connection: signals on the old one may never have arrived. */
  reconnected(): void {
    this.#sentGot = 0;
    this.#sentRead = 0;
    this.#typedAt = undefined;
    if (this.#got > 0 || this.#read > 0) this.#plan(READ_AFTER_MS);
  }

  /** Another conversation: nothing of this one is sent. */
  forget(): void {
    if (this.#timer !== undefined) this.#clock.cancel(this.#timer);
    this.#timer = this.#typedAt = undefined;
    this.#got = this.#read = this.#sentGot = this.#sentRead = 0;
  }

  #plan(ms: number): void {
    if (this.#timer === undefined) this.#timer = this.#clock.after(ms, () => this.#flush());
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#read > this.#sentRead && this.#send(readFrame(this.#read, this.#c))) {
      this.#sentRead = this.#read;
      this.#sentGot = Math.max(this.#sentGot, this.#read);
    }
    if (this.#got > this.#sentGot && this.#send(gotFrame(this.#got, this.#c))) this.#sentGot = this.#got;
  }
}

/** The participants who type now. Each ends after a time, and with that participant's message. */
export class TypingList {
  readonly #timers = new Map<number, TimerID>();
  readonly #clock: Clock;
  readonly #changed: (by: readonly number[]) => void;

  constructor(clock: Clock, changed: (by: readonly number[]) => void) {
    this.#clock = clock;
    this.#changed = changed;
  }

  receive(by: number, off: boolean): void {
    this.#forget(by);
    if (!off) this.#timers.set(by, this.#clock.after(TYPING_FADES_MS, () => this.stopped(by)));
    this.#changed([...this.#timers.keys()]);
  }

  stopped(by: number): void {
    if (!this.#timers.has(by)) return;
    this.#forget(by);
    this.#changed([...this.#timers.keys()]);
  }

  clear(): void {
    for (const by of [...this.#timers.keys()]) this.stopped(by);
  }

  #forget(by: number): void {
    const timer = this.#timers.get(by);
    if (timer !== undefined) this.#clock.cancel(timer);
    this.#timers.delete(by);
  }
}
