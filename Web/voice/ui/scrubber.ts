/** The waveform as a slider: dragged by pointer, moved by keys, announced as "0:30 of 2:00". */
import { h, set } from "./dom";
import type { PlayerStrings } from "./player-strings";
import { fill } from "./strings";
import { clockText, lengthText } from "./time";
import type { SizeObserver } from "./size-observer";
import { Wave } from "./waveform";

/** How far an arrow key moves, in milliseconds. */
export const KEY_STEP_MS = 5000;

/** What the slider asks its player to do. */
export interface ScrubberEvents {
  seek(to: number): void;
  /** Space or Enter: what the play button does. */
  press(): void;
}

/** The slider of one message. */
export class Scrubber {
  readonly element = h("div", { class: "ea-slider", role: "slider", tabindex: 0 });
  readonly #wave: Wave;
  #ms = 0;
  #at = 0;
  readonly #events: ScrubberEvents;

  constructor(events: ScrubberEvents, sizes: SizeObserver) {
    this.#wave = new Wave(sizes);
    this.#events = events;
    this.element.append(this.#wave.element, h("span", { class: "ea-head", "aria-hidden": "true" }));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("pointerdown", (event) => this.#grab(event));
  }

  show(wave: readonly number[], ms: number): void {
    this.#ms = ms;
    this.#wave.show(wave);
  }

  /** Sets the position. Announced in whole seconds, so that a screen reader is not flooded. */
  stand(at: number, usable: boolean, s: PlayerStrings): void {
    this.#at = at;
    const share = this.#ms > 0 ? at / this.#ms : 0;
    this.#wave.progress(share);
    this.element.style.setProperty("--at", `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`);
    set(this.element, {
      "aria-label": s.position,
      "aria-valuemin": 0,
      "aria-valuemax": Math.round(this.#ms / 1000),
      "aria-valuenow": Math.round(at / 1000),
      "aria-valuetext": fill(s.positionOf, { at: clockText(at), length: lengthText(this.#ms) }),
      "aria-disabled": usable ? undefined : "true",
    });
  }

  release(): void {
    this.#wave.release();
  }

  #key(event: KeyboardEvent): void {
    const rtl = getComputedStyle(this.element).direction === "rtl";
    const ahead = rtl ? -KEY_STEP_MS : KEY_STEP_MS;
    const to: Record<string, number> = {
      ArrowRight: this.#at + ahead,
      ArrowLeft: this.#at - ahead,
      ArrowUp: this.#at + KEY_STEP_MS,
      ArrowDown: this.#at - KEY_STEP_MS,
      PageUp: this.#at + 3 * KEY_STEP_MS,
      PageDown: this.#at - 3 * KEY_STEP_MS,
      Home: 0,
      End: this.#ms,
    };
    const target = to[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " || event.key === "Enter") this.#events.press();
    else if (target === undefined) return;
    else this.#events.seek(target);
    event.preventDefault();
    event.stopPropagation();
  }

  #grab(event: PointerEvent): void {
    if (event.button !== 0) return;
    const move = (e: PointerEvent): void => {
      const box = this.element.getBoundingClientRect();
      this.#events.seek(((e.clientX - box.left) / Math.max(1, box.width)) * this.#ms);
    };
    this.element.setPointerCapture(event.pointerId);
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener(
      "lostpointercapture", () => this.element.removeEventListener("pointermove", move), { once: true },
    );
    move(event);
  }
}
