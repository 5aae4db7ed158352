/** One timer that can be restarted. */
import type { Clock, TimerID } from "./ports";

/** Runs one callback later. Starting it again replaces what was planned. */
export class Timeout {
  readonly #clock: Clock;
  #timer: TimerID | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `run` in `ms` milliseconds, instead of what was planned before. */
  start(ms: number, run: () => void): void {
    this.cancel();
    this.#timer = this.#clock.after(ms, run);
  }

  /** Cancels what was planned. */
  cancel(): void {
    if (this.#timer !== undefined) this.#clock.cancel(this.#timer);
    this.#timer = undefined;
  }
}
