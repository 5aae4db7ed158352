/** What a client says often and cheaply: got, read, typing. Coalesced here, because each frame costs a phone more than its bytes. */
import type { Clock, TimerID } from "../core/ports";
import { gotFrame, readFrame, typingFrame } from "../core/wire";

/** A read mark waits this long for company: a message that is answered at once carries it along. */
export const READ_AFTER_MS = 300;
/** Nobody waits for "delivered" as for "read". */
export const GOT_AFTER_MS = 1000;
export const TYPING_EVERY_MS = 3000;
/** Without a new sign, typing fades. */
export const TYPING_FADES_MS = 6000;

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

  /** The read mark to put into a message that goes out now, if it says something new. */
  takeRead(): number | undefined {
    if (this.#read <= this.#sentRead) return undefined;
    this.#sentRead = this.#read;
    this.#sentGot = Math.max(this.#sentGot, this.#read);
    return this.#read;
  }

  /** A key was pressed (`true`), or the draft was given up (`false`). A message that goes out says it by itself: `sent`. */
  typing(on: boolean): void {
    const now = this.#clock.now();
    if (on && this.#typedAt !== undefined && now - this.#typedAt < TYPING_EVERY_MS) return;
    if (!on && this.#typedAt === undefined) return;
    if (this.#send(typingFrame(on, this.#c))) this.#typedAt = on ? now : undefined;
  }

  /** A message went out: the other side stops showing typing by itself. */
  sent(): void {
    this.#typedAt = undefined;
  }

  /** A new socket: what the old one was told may never have arrived. */
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

/** Who types right now. Each fades by itself, and ends with what that participant says. */
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
