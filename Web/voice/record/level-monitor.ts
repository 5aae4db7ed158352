/** Monitors a recording several times a second: its level for the waveform, silence, clipping, and timer lateness. */
import type { Clock, TimerID } from "../../client/core/ports";
import type { Capture } from "./capture";

/** How often the level is taken: one bar of the live waveform. */
export const LEVEL_EVERY_MS = 80;
/** After this time without sound a hint is shown. */
export const SILENT_AFTER_MS = 3000;
/** Below this, a level is no voice. */
const HEARD_LEVEL = 8;
/** Too loud: so many of the last steps were cut off at the top. */
const CLIPPED_STEPS = 4;
const CLIP_STEPS = 25;

/** Follows the level of one recording at a time. */
export class LevelMonitor {
  /** Whether sound was detected through this microphone. */
  played = false;
  limitMs = Infinity;
  /** How much later than requested the timer fired: browsers throttle timers of hidden pages. */
  lateness = 0;
  #heardAt = 0;
  #calledAt = 0;
  #clips: boolean[] = [];
  #levels: number[] = [];
  #capture: Capture | undefined;
  #timer: TimerID | undefined;
  readonly #clock: Clock;
  readonly #seen: (now: number) => void;

  constructor(clock: Clock, seen: (now: number) => void) {
    this.#clock = clock;
    this.#seen = seen;
  }

  get silent(): boolean {
    return this.#clock.now() - this.#heardAt >= SILENT_AFTER_MS;
  }

  get clips(): boolean {
    return this.#clips.filter(Boolean).length >= CLIPPED_STEPS;
  }

  /** Follows a new recording; its levels are added to `levels`. */
  begin(capture: Capture, levels: number[], limitMs: number): void {
    [this.#capture, this.#levels, this.limitMs, this.played, this.#clips] = [capture, levels, limitMs, false, []];
    this.start();
  }

  /** Goes on after a pause. */
  start(): void {
    this.#heardAt = this.#calledAt = this.#clock.now();
    this.#look();
  }

  stop(): void {
    if (this.#timer !== undefined) this.#clock.cancel(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    this.stop();
    const now = this.#clock.now();
    this.lateness = Math.max(0, now - this.#calledAt - LEVEL_EVERY_MS);
    this.#calledAt = now;
    const level = this.#capture?.level();
    this.#levels.push(Math.round(level?.loud ?? 0));
    this.#clips = [...this.#clips.slice(1 - CLIP_STEPS), level?.clips ?? false];
    if (level && level.loud >= HEARD_LEVEL) this.played = true;
    // Without a level there is no warning.
    if (!level || level.loud >= HEARD_LEVEL) this.#heardAt = now;
    this.#timer = this.#clock.after(LEVEL_EVERY_MS, () => this.#look());
    this.#seen(now);
  }
}
