/**
 * `<earshot-audio>`: a voice message that can be heard. Its length and waveform stand there before anything is loaded; the
 * sound is fetched at the first play. A slider with keys, one player at a time, speed kept for the next message.
 *
 * The length is the event's, never the file's: browsers say Infinity or nonsense for recordings (docs/protocol.md section 3).
 */
import { h, icon, set } from "./dom";
import { fill, voiceStrings } from "./strings";
import type { VoiceStrings } from "./strings";
import { clockText, lengthText } from "./time";
import { Wave } from "./wave";

/** Where the sound is: a URL, or a way to get one that is asked at the first play. */
export type Source = string | (() => string | Promise<string>);

const RATES = [1, 1.5, 2] as const;
const RATE_KEY = "earshot.rate";
/** How far an arrow key moves, in milliseconds. */
export const KEY_STEP_MS = 5000;

let speaking: AudioPlayer | undefined;

/** Stops whatever plays: before a recording starts, or when a page hides. */
export const stopPlaying = (): void => speaking?.pause();

export class AudioPlayer extends HTMLElement {
  strings: VoiceStrings = voiceStrings;
  #source: Source = "";
  #ms = 0;
  #at = 0;
  #audio: HTMLAudioElement | undefined;
  #wave: Wave | undefined;
  #frame = 0;
  readonly #button = h("button", { type: "button", class: "ea-play" });
  readonly #slider = h("div", { class: "ea-slider", role: "slider", tabindex: 0 });
  readonly #time = h("span", { class: "ea-time" });
  readonly #speed = h("button", { type: "button", class: "ea-speed" });

  /** Shows a message of `ms` with these peaks; `source` is asked only when someone plays it. */
  show(content: { ms: number; wave: readonly number[] }, source: Source): this {
    this.#ms = Number.isFinite(content.ms) ? Math.max(0, content.ms) : 0;
    this.#source = source;
    this.#build();
    this.#wave?.show(content.wave);
    this.#render();
    return this;
  }

  disconnectedCallback(): void {
    this.pause();
  }

  get playing(): boolean {
    return this.getAttribute("state") === "playing";
  }

  async play(): Promise<void> {
    if (speaking !== this) speaking?.pause();
    speaking = this;
    this.#state("loading");
    try {
      const audio = await this.#loaded();
      if (speaking !== this || this.getAttribute("state") !== "loading") return;
      audio.playbackRate = rate();
      if (this.#at >= this.#ms - 50) this.#at = 0;
      if (Math.abs(audio.currentTime * 1000 - this.#at) > 50) audio.currentTime = this.#at / 1000;
      await audio.play();
      if (this.getAttribute("state") !== "loading") return audio.pause();
      this.#state("playing");
      this.dispatchEvent(new CustomEvent("earshot-play", { bubbles: true }));
      this.#tick();
    } catch {
      if (this.getAttribute("state") === "loading") this.#failed();
    }
  }

  pause(): void {
    this.#audio?.pause();
    cancelAnimationFrame(this.#frame);
    if (this.playing || this.getAttribute("state") === "loading") this.#state("paused");
    if (speaking === this) speaking = undefined;
  }

  /** Moves to a time, in milliseconds, clamped to the message. */
  seek(to: number): void {
    this.#at = Math.min(this.#ms, Math.max(0, Number.isFinite(to) ? to : 0));
    if (this.#audio && this.#audio.readyState > 0) this.#audio.currentTime = this.#at / 1000;
    this.#render();
  }

  #build(): void {
    if (this.#wave) return;
    this.#wave = new Wave();
    this.#slider.append(this.#wave.element);
    this.append(this.#button, h("div", { class: "ea-body" }, this.#slider, h("div", { class: "ea-foot" }, this.#time, this.#speed)));
    this.#button.addEventListener("click", () => (this.playing ? this.pause() : void this.play()));
    this.#speed.addEventListener("click", () => this.#nextRate());
    this.#slider.addEventListener("keydown", (event) => this.#key(event));
    this.#slider.addEventListener("pointerdown", (event) => this.#grab(event));
    this.#state("idle");
  }

  async #loaded(): Promise<HTMLAudioElement> {
    if (this.#audio) return this.#audio;
    const url = typeof this.#source === "string" ? this.#source : await this.#source();
    const audio = new Audio();
    audio.preload = "auto";
    audio.src = url;
    audio.addEventListener("ended", () => this.#ended());
    audio.addEventListener("error", () => this.#failed());
    this.#audio = audio;
    return audio;
  }

  #ended(): void {
    this.pause();
    this.#at = 0;
    if (this.#audio) this.#audio.currentTime = 0;
    this.#state("idle");
  }

  #failed(): void {
    this.#audio = undefined;
    if (speaking === this) speaking = undefined;
    this.#state("failed");
  }

  #tick(): void {
    if (!this.playing || !this.#audio) return;
    this.#at = Math.min(this.#ms, this.#audio.currentTime * 1000);
    this.#render();
    this.#frame = requestAnimationFrame(() => this.#tick());
  }

  #key(event: KeyboardEvent): void {
    const ahead = getComputedStyle(this.#slider).direction === "rtl" ? -KEY_STEP_MS : KEY_STEP_MS;
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
    if (event.key === " " || event.key === "Enter") this.#button.click();
    else if (target === undefined) return;
    else this.seek(target);
    event.preventDefault();
    event.stopPropagation();
  }

  #grab(event: PointerEvent): void {
    if (event.button !== 0) return;
    const move = (e: PointerEvent): void => {
      const box = this.#slider.getBoundingClientRect();
      this.seek(((e.clientX - box.left) / Math.max(1, box.width)) * this.#ms);
    };
    const drop = (): void => this.#slider.removeEventListener("pointermove", move);
    this.#slider.setPointerCapture(event.pointerId);
    this.#slider.addEventListener("pointermove", move);
    this.#slider.addEventListener("lostpointercapture", drop, { once: true });
    move(event);
  }

  #nextRate(): void {
    const next = RATES[(RATES.indexOf(rate()) + 1) % RATES.length] ?? 1;
    keepRate(next);
    if (this.#audio) this.#audio.playbackRate = next;
    this.#render();
  }

  #state(state: "idle" | "loading" | "playing" | "paused" | "failed"): void {
    if (this.getAttribute("state") !== state) {
      this.setAttribute("state", state);
      this.#button.replaceChildren(icon(state === "playing" ? "pause" : state === "failed" ? "again" : "play"));
    }
    this.#render();
  }

  #render(): void {
    const state = this.getAttribute("state");
    const [at, length] = [clockText(this.#at), lengthText(this.#ms)];
    const s = this.strings;
    this.#wave?.progress(this.#ms > 0 ? this.#at / this.#ms : 0);
    set(this.#button, {
      "aria-label": state === "playing" ? s.pause : state === "failed" ? `${s.playFailed} ${s.again}` : fill(s.play, { length }),
      "aria-busy": state === "loading" ? "true" : undefined,
    });
    set(this.#slider, {
      "aria-label": s.position,
      "aria-valuemin": 0,
      "aria-valuemax": Math.round(this.#ms / 1000),
      "aria-valuenow": Math.round(this.#at / 1000),
      "aria-valuetext": fill(s.positionOf, { at, length }),
    });
    put(this.#time, state === "failed" ? s.playFailed : this.#at > 0 ? `${at} / ${length}` : length);
    put(this.#speed, `${rate()}×`);
    set(this.#speed, { "aria-label": fill(s.speed, { rate: `${rate()}×` }) });
  }
}

function put(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

let chosenRate: (typeof RATES)[number] | undefined;

function rate(): (typeof RATES)[number] {
  if (chosenRate === undefined) {
    let kept = 1;
    try {
      kept = Number(localStorage.getItem(RATE_KEY) ?? 1);
    } catch {
      // Blocked storage: the speed lasts as long as the page.
    }
    chosenRate = RATES.find((known) => known === kept) ?? 1;
  }
  return chosenRate;
}

function keepRate(next: (typeof RATES)[number]): void {
  chosenRate = next;
  try {
    localStorage.setItem(RATE_KEY, String(next));
  } catch {
    // See above.
  }
}

/** Makes the element known. Safe to call twice. */
export function defineAudioPlayer(): void {
  if (!customElements.get("earshot-audio")) customElements.define("earshot-audio", AudioPlayer);
}

declare global {
  interface HTMLElementTagNameMap {
    "earshot-audio": AudioPlayer;
  }
}
