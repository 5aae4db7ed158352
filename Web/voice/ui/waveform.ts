/**
 * The waveform, the same in the recorder, in the preview and in a message. One SVG path of rounded bars on the 4 px
 * grid; a second copy in the brand's colour is revealed as it plays.
 */
import { h, svg } from "./dom";
import type { SizeObserver } from "./size-observer";

/** From one bar to the next, and how thick a bar is, in pixels. */
export const PITCH = 4;
/** The width of a bar, in pixels. */
export const THICKNESS = 2.5;
/**
 * A quiet voice is drawn as if its loudest peak had this height at least; without a exclusive, noise would look like
 * speech.
 */
const LOUDEST_AT_LEAST = 36;

/**
 * As many values as there is room for: the peak of each span, or a straight line between two where there are too few.
 */
export function resample(peaks: readonly number[], bars: number): number[] {
  if (peaks.length === 0 || bars <= 0) return new Array<number>(Math.max(0, bars)).fill(0);
  return Array.from({ length: bars }, (_, i) => {
    const from = (i * peaks.length) / bars;
    const to = ((i + 1) * peaks.length) / bars;
    if (to - from < 1) return between(peaks, Math.max(0, (from + to) / 2 - 0.5));
    return Math.max(...peaks.slice(Math.floor(from), Math.max(Math.floor(from) + 1, Math.round(to))));
  });
}

function between(peaks: readonly number[], at: number): number {
  const left = peaks[Math.floor(at)] ?? 0;
  const right = peaks[Math.min(peaks.length - 1, Math.ceil(at))] ?? left;
  return left + (right - left) * (at - Math.floor(at));
}

/** The bars, mirrored about the middle line, as one path. `peaks` are 0 to 100, already one per bar. */
export function barsPath(peaks: readonly number[], height: number, gain = 1): string {
  const room = height - THICKNESS;
  return peaks
    .map((peak, i) => {
      const share = Math.min(1, Math.max(0, (Number.isFinite(peak) ? peak : 0) * gain) / 100);
      const length = Math.max(0.01, room * share ** 0.9);
      return `M${i * PITCH + PITCH / 2} ${((height - length) / 2).toFixed(1)}v${length.toFixed(2)}`;
    })
    .join("");
}

/** The gain that lets the loudest peak fill the height. */
export const gainFor = (peaks: readonly number[]): number => 100 / Math.max(
  LOUDEST_AT_LEAST, ...peaks.filter(Number.isFinite)
);

/** A drawn waveform that fills the width it is given. */
export class Wave {
  readonly element: HTMLElement;
  readonly #paths = [svg("path"), svg("path")] as const;
  #peaks: readonly number[] = [];
  #live = false;
  #width = 0;
  #height = 0;
  readonly #sizes: SizeObserver;

  constructor(sizes: SizeObserver) {
    this.#sizes = sizes;
    const [rest, played] = this.#paths;
    this.element = h("span", { class: "wave", "aria-hidden": "true" });
    const copy = (path: SVGElement, name: string): SVGElement => svg("svg", { class: name, focusable: "false" }, path);
    this.element.append(copy(rest, "wave-rest"), copy(played, "wave-played"));
    sizes.observe(this.element, ({ width, height }) => {
      if (width === this.#width && height === this.#height) return;
      [this.#width, this.#height] = [width, height];
      this.#draw();
    });
  }

  /** Shows the whole waveform, stretched over the width. */
  show(peaks: readonly number[]): void {
    this.#live = false;
    this.#peaks = peaks;
    this.#draw();
  }

  /** Shows a live waveform: the newest peak at the end, older ones move away from it. */
  follow(peaks: readonly number[]): void {
    this.#live = true;
    this.#peaks = peaks;
    this.#draw();
  }

  /** How much was played, 0 to 1. */
  progress(share: number): void {
    const clamped = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
    this.element.style.setProperty("--played", `${(clamped * 100).toFixed(2)}%`);
  }

  release(): void {
    this.#sizes.unobserve(this.element);
  }

  #draw(): void {
    const bars = Math.floor(this.#width / PITCH);
    if (bars === 0) return;
    const room = Math.max(0, bars - this.#peaks.length);
    const shown = this.#live ? [
      ...new Array<number>(room).fill(0), ...this.#peaks.slice(-bars)
    ] : resample(this.#peaks, bars);
    const d = barsPath(shown, this.#height, this.#live ? 1 : gainFor(this.#peaks));
    for (const path of this.#paths) path.setAttribute("d", d);
  }
}
