/**
 * `<earshot-audio>` plays a voice message. Its length and waveform appear before anything is loaded, and can be
 * scrubbed; the sound is loaded at the first play. Length and waveform are the event's, never the file's: browsers say
 * Infinity or nonsense for recordings (docs/protocol.md section 3).
 */
import { h, set, setText } from "./dom";
import { buttonName, playerStatus, isPlayable, words } from "./player-view";
import type { PlayerStatus } from "./player-view";
import { playerIcon, statusIcon } from "./icons";
import { browserStore } from "../../client/core/browser";
import type { KeyValue } from "../../client/core/ports";
import { PlaybackContext } from "../play/playback-context";
import { faultOf, Playback } from "../play/playback";
import type { Source } from "../play/playback";
import { playerStrings } from "./player-strings";
import type { PlayerStrings } from "./player-strings";
import { moreMenu, speedMenu } from "./menu/player-menus";
import { Scrubber } from "./scrubber";
import { fill } from "./strings";
import type { Shown, Sounding } from "../play/voice-message";

export type { Source } from "../play/playback";
export { KEY_STEP_MS } from "./scrubber";

/** Plays one voice message. `defineAudioPlayer` registers it. */
export abstract class AudioPlayer extends HTMLElement {
  /** What all players of the page share. */
  abstract readonly context: PlaybackContext;
  #strings: PlayerStrings = playerStrings;
  #content: Sounding = { ms: 0, wave: [] };
  #shown: Shown = {};
  #playback: Playback | undefined;
  #scrubber: Scrubber | undefined;
  #frame = 0;
  #note = "";
  #status: PlayerStatus | undefined;
  #unwatch: (() => void) | undefined;
  readonly #button = h("button", { type: "button", class: "ea-play" });
  readonly #time = h("span", { class: "ea-time" });
  readonly #dot = h("span", { class: "ea-dot", hidden: true });
  readonly #speed = h(
    "button", { type: "button", class: "ea-speed", "aria-haspopup": "menu", "aria-expanded": "false" },
  );
  readonly #more = h(
    "button",
    { type: "button", class: "ea-more", "aria-haspopup": "menu", "aria-expanded": "false" },
    playerIcon("more"),
  );

  /** Texts of a front end's own. */
  set strings(own: Partial<PlayerStrings>) {
    this.#strings = { ...playerStrings, ...own };
  }

  /** Shows a message; `source` is asked only when someone plays it. Shown again with what changed, it plays on. */
  show(content: Sounding, source: Source, shown: Shown = {}): this {
    if (shown.who !== undefined) this.context.listenAs(shown.who);
    const same = this.#playback !== undefined && shown.media !== undefined && shown.media === this.#shown.media;
    this.#content = { ...content, ms: Number.isFinite(content.ms) ? Math.max(0, content.ms) : 0 };
    this.#shown = shown;
    if (!same) this.#load(source);
    if (content.scan && !this.playable) this.#playback?.release();
    this.#render();
    return this;
  }

  connectedCallback(): void {
    this.#unwatch ??= this.context.watch(() => this.#retaste());
    // What the element was given before its code was loaded.
    const { message } = this;
    if (message) this.show(...message);
  }

  disconnectedCallback(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#playback?.release();
  }

  get playing(): boolean {
    return this.#playback?.active === true;
  }

  get playable(): boolean {
    return isPlayable(this.#currentStatus());
  }

  /** Whether no one on this side has listened to it. */
  get unplayed(): boolean {
    return this.#shown.unplayed === true && this.playable;
  }

  get ms(): number {
    return this.#content.ms;
  }

  /** The silences that are known of it. */
  get silences(): Playback["silences"] {
    return this.#playback?.silences ?? [];
  }

  async play(): Promise<void> {
    const playback = this.#playback;
    if (!playback || !this.playable) return;
    const { preferences, exclusive } = this.context;
    exclusive.acquire(this);
    if (preferences.cut) this.#learn();
    await playback.play();
    if (playback.state === "playing") this.#tick();
  }

  pause(): void {
    this.#playback?.pause();
    this.#rest();
  }

  /** Moves to a time, in milliseconds, clamped to the message. */
  seek(to: number): void {
    if (this.playable) this.#playback?.seek(to);
  }

  #load(source: Source): void {
    this.#playback?.release();
    const { ms, wave } = this.#content;
    const { media } = this.#shown;
    const { preferences } = this.context;
    this.#playback = new Playback({
      ms, wave, source,
      make: () => this.#made(),
      rate: () => preferences.rate,
      cut: () => preferences.cut,
      explain: faultOf,
      changed: () => this.#changed(),
      played: (from, to) => this.#shown.played?.(from, to),
      ended: () => this.#ended(),
    });
    if (media !== undefined) this.#playback.seek(preferences.place(media));
    this.#build();
    this.#scrubber?.show(wave, ms);
  }

  async #made(): Promise<HTMLAudioElement> {
    const audio = new Audio();
    await this.context.loudness.apply(audio, this.#content.loud);
    return audio;
  }

  #build(): void {
    if (this.#scrubber) return;
    this.#scrubber = new Scrubber(
      { seek: (to) => this.seek(to), press: () => this.#button.click() }, this.context.sizes,
    );
    const foot = h(
      "div", { class: "ea-foot" }, this.#dot, this.#time, h("span", { class: "ea-tools" }, this.#speed, this.#more),
    );
    this.replaceChildren(this.#button, h("div", { class: "ea-body" }, this.#scrubber.element, foot));
    this.#button.addEventListener("click", () => (this.playing ? this.pause() : void this.play()));
    this.#speed.addEventListener("click", () => speedMenu(this.#speed, this.#strings, this.context.preferences));
    this.#more.addEventListener(
      "click", () => moreMenu(this.#more, this.#strings, this.#shown, (why) => this.#say(why)),
    );
  }

  #changed(): void {
    if (!this.playing) cancelAnimationFrame(this.#frame);
    if (this.#playback?.state === "failed") this.context.exclusive.release(this);
    this.#render();
  }

  /** Playback stopped: stores the position, and reports what was played. */
  #rest(): void {
    cancelAnimationFrame(this.#frame);
    this.context.exclusive.release(this);
    const { media, rested } = this.#shown;
    if (media !== undefined) this.context.preferences.leave(media, this.#playback?.at ?? 0, this.ms);
    rested?.();
  }

  #ended(): void {
    this.#rest();
    this.dispatchEvent(new CustomEvent("earshot-ended", { bubbles: true }));
  }

  #tick(): void {
    const { state } = this.#playback ?? {};
    if (state !== "playing" && state !== "buffering") return;
    this.#playback?.step();
    this.#render();
    this.#frame = requestAnimationFrame(() => this.#tick());
  }

  #retaste(): void {
    this.#playback?.retime();
    if (this.playing && this.context.preferences.cut) this.#learn();
    this.#render();
  }

  #learn(): void {
    const { bytes, media } = this.#shown;
    const playback = this.#playback;
    if (!bytes || !playback) return;
    void this.context.silences.find(media ?? "", bytes).then((silences) => {
      if (silences) playback.silences = silences;
      this.dispatchEvent(new CustomEvent("earshot-silences", { bubbles: true }));
    });
  }

  /** Shows a note in the place of the time for a moment. */
  #say(text: string): void {
    this.#note = text;
    this.#render();
    setTimeout(() => {
      this.#note = "";
      this.#render();
    }, NOTE_MS);
  }

  #currentStatus(): PlayerStatus {
    const { state = "idle", fault = "failed" } = this.#playback ?? {};
    return playerStatus(state, fault, this.#content.scan, this.#shown.own === true);
  }

  #render(): void {
    if (!this.#playback) return;
    const [status, s] = [this.#currentStatus(), this.#strings];
    const usable = isPlayable(status);
    const at = usable ? this.#playback?.at ?? 0 : 0;
    if (status !== this.#status) {
      this.#status = status;
      set(this, { state: status });
      this.dispatchEvent(new CustomEvent("earshot-state", { bubbles: true }));
      this.#button.replaceChildren(statusIcon(status));
      set(this.#button, { disabled: !usable });
      set(this.#speed, { hidden: !usable });
      set(this.#more, { "aria-label": s.more, title: s.more });
    }
    set(this.#more, { hidden: !usable || this.#shown.downloads === undefined });
    this.#scrubber?.stand(at, usable, s);
    set(this, { unplayed: this.unplayed });
    set(
      this.#button,
      {
        "aria-label": buttonName(status, this.ms, s),
        "aria-busy": status === "loading" || status === "buffering" ? "true" : undefined,
      },
    );
    set(this.#dot, { hidden: !this.unplayed, role: "img", "aria-label": s.unplayed, title: s.unplayed });
    set(this.#time, { "aria-live": this.#note === "" ? undefined : "polite" });
    setText(this.#time, this.#note || words(status, at, this.ms, s));
    const rate = `${this.context.preferences.rate}×`;
    setText(this.#speed, rate);
    set(this.#speed, { "aria-label": fill(s.speed, { rate }) });
  }

  /** Set by lazy-player.ts before the element's code was loaded. */
  declare message?: Parameters<AudioPlayer["show"]>;
}

const NOTE_MS = 5000;

/** Registers `<earshot-audio>`, once; preferences are in `storage`. Returns what all players of the page share. */
export function defineAudioPlayer(storage?: KeyValue): PlaybackContext {
  const defined = customElements.get("earshot-audio") as (
    CustomElementConstructor & { readonly shared: PlaybackContext }
  ) | undefined;
  if (defined) return defined.shared;
  const context = new PlaybackContext(storage ?? browserStore());
  customElements.define("earshot-audio", class extends AudioPlayer {
    static readonly shared = context;
    readonly context = context;
  });
  return context;
}

declare global {
  interface HTMLElementTagNameMap {
    "earshot-audio": AudioPlayer;
  }
}
