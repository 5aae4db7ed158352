/**
 * Catch-up play: every unplayed message of a conversation, in order, faster, without silences. The only place where one
 * message plays after another automatically. A bar shows the progress: "4:10 of talk in 1:35".
 */
import { h, icon, iconButton, set } from "../ui/dom";
import { playerIcon } from "../ui/icons";
import type { PlaybackContext } from "./playback-context";
import { defineAudioPlayer } from "../ui/player";
import type { AudioPlayer } from "../ui/player";
import { playerStrings } from "../ui/player-strings";
import type { PlayerStrings } from "../ui/player-strings";
import { speedMenu } from "../ui/menu/player-menus";
import { listeningMs } from "./silences";
import { unplayedIn } from "./unplayed";
import { fill } from "../ui/strings";
import { lengthText } from "../ui/time";

/** The minimum speed of catch-up play. */
const CATCH_UP_RATE = 1.5;

/** The bar of catch-up play. */
export class CatchUp {
  readonly element = h("div", { class: "ea-catch", role: "region", hidden: true });
  readonly #button = h("button", { type: "button", class: "ea-catch-go" });
  readonly #play = iconButton("pause", "", { class: "ea-play" });
  readonly #where = h("span", { class: "ea-catch-where" });
  readonly #talk = h("span", { class: "ea-catch-talk" });
  readonly #speed = h("button", { type: "button", class: "ea-speed", "aria-haspopup": "menu" });
  readonly #next = h("button", { type: "button", class: "ea-catch-next" }, playerIcon("next"));
  readonly #stop = iconButton("close", "", { class: "ea-catch-stop" });
  #queue: AudioPlayer[] = [];
  #at = -1;
  #preferencesBefore: { rate: number; cut: boolean } | undefined;
  #unwatch: () => void;
  readonly #context: PlaybackContext = defineAudioPlayer();
  readonly #root: ParentNode & EventTarget;
  readonly #strings: PlayerStrings;
  readonly #atLeast: number;

  /** `root` holds the conversation. The bar shows itself from `atLeast` unplayed messages on. */
  constructor(root: ParentNode & EventTarget, s: PlayerStrings = playerStrings, atLeast = 1) {
    this.#root = root;
    this.#strings = s;
    this.#atLeast = atLeast;
    const line = h("div", { class: "ea-catch-words" }, this.#where, this.#talk);
    this.element.append(this.#button, this.#play, line, this.#speed, this.#next, this.#stop);
    set(this.element, { "aria-label": s.catchUp });
    for (const [button, name] of [[this.#next, s.next], [this.#stop, s.stop]] as const) set(
      button, { "aria-label": name, title: name, type: "button" },
    );
    this.#button.addEventListener("click", () => this.start());
    this.#play.addEventListener("click", () => this.#toggle());
    this.#next.addEventListener("click", () => this.#go(this.#at + 1));
    this.#stop.addEventListener("click", () => this.stop());
    this.#speed.addEventListener("click", () => speedMenu(this.#speed, s, this.#context.preferences));
    root.addEventListener("earshot-ended", (event) => event.target === this.#queue[this.#at] && this.#go(this.#at + 1));
    root.addEventListener("earshot-silences", () => this.update());
    root.addEventListener("earshot-state", () => this.update());
    this.#unwatch = this.#context.watch(() => this.update());
    this.update();
  }

  get running(): boolean {
    return this.#at >= 0;
  }

  /** Starts with the oldest. Returns false where there is nothing to play. */
  start(): boolean {
    this.#queue = unplayedIn(this.#root);
    if (this.#queue.length === 0) return false;
    const { preferences } = this.#context;
    this.#preferencesBefore = { rate: preferences.rate, cut: preferences.cut };
    if (preferences.rate < CATCH_UP_RATE) preferences.rate = CATCH_UP_RATE;
    preferences.cut = true;
    this.#go(0);
    if (this.element.contains(document.activeElement)) this.#play.focus();
    return true;
  }

  /** Ends catch-up play, and restores speed and silences. */
  stop(): void {
    const player = this.#queue[this.#at];
    const [before, { preferences }] = [this.#preferencesBefore, this.#context];
    [this.#queue, this.#at, this.#preferencesBefore] = [[], -1, undefined];
    player?.pause();
    if (before && preferences.rate === CATCH_UP_RATE) preferences.rate = before.rate as typeof preferences.rate;
    if (before) preferences.cut = before.cut;
    this.update();
  }

  release(): void {
    if (this.running) this.stop();
    this.#unwatch();
  }

  /** Updates the bar after messages changed. */
  update(): void {
    const waiting = unplayedIn(this.#root);
    const ms = waiting.reduce((sum, player) => sum + player.ms, 0);
    set(this.element, { hidden: !this.running && waiting.length < this.#atLeast, "data-running": this.running });
    set(
      this.#button, { hidden: this.running, "aria-label": fill(this.#strings.catchUpLong, { length: lengthText(ms) }) },
    );
    for (const part of [this.#play, this.#where, this.#speed, this.#next, this.#stop]) set(
      part, { hidden: !this.running },
    );
    if (!this.running && waiting.length > 0) this.#offer(waiting, ms);
    if (this.running) this.#show();
  }

  #offer(waiting: readonly AudioPlayer[], ms: number): void {
    const { preferences } = this.#context;
    const rate = Math.max(CATCH_UP_RATE, preferences.rate);
    const time = waiting.reduce((sum, player) => sum + listeningMs(player.ms, player.silences, rate), 0);
    this.#button.replaceChildren(icon("play"), this.#strings.catchUp);
    this.#talk.textContent = fill(this.#strings.talk, { talk: lengthText(ms), time: lengthText(time) });
  }

  #show(): void {
    const { preferences } = this.#context;
    const ms = this.#queue.reduce((sum, player) => sum + player.ms, 0);
    const time = this.#queue.reduce(
      (sum, player) => sum + listeningMs(player.ms, player.silences, preferences.rate), 0,
    );
    const playing = this.#queue[this.#at]?.playing === true;
    this.#where.textContent = fill(this.#strings.catching, { n: this.#at + 1, count: this.#queue.length });
    this.#talk.textContent = fill(this.#strings.talk, { talk: lengthText(ms), time: lengthText(time) });
    this.#speed.textContent = `${preferences.rate}×`;
    set(this.#speed, { "aria-label": fill(this.#strings.speed, { rate: `${preferences.rate}×` }) });
    const name = playing ? this.#strings.pause : fill(
      this.#strings.play, { length: lengthText(this.#queue[this.#at]?.ms ?? 0) },
    );
    if (this.#play.getAttribute("aria-label") === name) return;
    set(this.#play, { "aria-label": name, title: name });
    this.#play.replaceChildren(icon(playing ? "pause" : "play"));
  }

  #toggle(): void {
    const player = this.#queue[this.#at];
    if (player?.playing) player.pause();
    else void player?.play();
  }

  #go(at: number): void {
    this.#queue[this.#at]?.pause();
    const next = this.#queue[at];
    if (!next?.isConnected) return this.stop();
    this.#at = at;
    next.scrollIntoView({ block: "nearest" });
    void next.play();
    this.update();
  }
}
