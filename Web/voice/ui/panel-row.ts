/** The recorder's row: the actions of each state, and the live waveform. */
import { h, icon, iconButton, set, setText } from "./dom";
import type { IconName } from "./dom";
import { microphoneMenu } from "../record/devices";
import { defineAudioPlayer } from "./player";
import type { AudioPlayer } from "./player";
import type { Recorder } from "../record/recorder";
import { UNDO_MS } from "../record/recorder-state";
import type { RecorderState } from "../record/recorder-state";
import type { RecorderStrings } from "./recorder-strings";
import { isFinal } from "../record/recording";
import type { Recording } from "../record/recording";
import { fill } from "./strings";
import { clockText } from "./time";
import { Wave } from "./waveform";

/** The row of buttons and waveform. */
export class PanelRow {
  readonly element = h("div", { class: "rec-row" });
  readonly #wave = new Wave(defineAudioPlayer().sizes);
  readonly #time = h("span", { class: "rec-time", role: "timer" });
  readonly #left = h("span", { class: "rec-left" });
  readonly #wait = h("span", { class: "rec-wait", tabindex: -1 });
  #preview: string | undefined;
  readonly #recorder: Recorder;
  readonly #strings: RecorderStrings;
  readonly #skin: "widget" | "workspace";

  constructor(recorder: Recorder, s: RecorderStrings, skin: "widget" | "workspace") {
    this.#recorder = recorder;
    this.#strings = s;
    this.#skin = skin;
  }

  show(recording: Recording): void {
    this.#forgetPreview();
    this.element.replaceChildren(...this.#parts(recording));
  }

  update({ recording, seconds, left, share, stalled }: RecorderState): void {
    setText(this.#time, clockText(seconds * 1000));
    setText(this.#left, left === undefined ? "" : fill(this.#strings.left, { seconds: left }));
    if (recording.phase !== "sending") return;
    const percent = Math.floor(share * 100);
    setText(
      this.#wait, percent > 0 && percent < 100 ? fill(this.#strings.sendingShare, { percent }) : this.#strings.sending,
    );
    for (const button of this.element.querySelectorAll("button")) set(button, { hidden: !stalled });
  }

  follow(levels: readonly number[]): void {
    this.#wave.follow(levels);
  }

  /** Moves the focus to the most likely next action. */
  focus(): void {
    this.#first?.focus();
  }

  isFirst(target: EventTarget | null): boolean {
    return target === this.#first;
  }

  release(): void {
    this.#wave.release();
    this.#forgetPreview();
  }

  get #first(): HTMLElement | null {
    return this.element.querySelector<HTMLElement>("[data-first]");
  }

  #parts(recording: Recording): Node[] {
    const [recorder, s] = [this.#recorder, this.#strings];
    const trash = this.#button("trash", s.trash, () => recorder.delete());
    const close = this.#button("close", s.close, () => recorder.close());
    const send = this.#button("send", s.send, () => void recorder.send(), "rec-send");
    switch (recording.phase) {
      case "armed":
        return [close, this.#word(s.start, () => void recorder.start(), "rec-start"), microphoneMenu(recorder, s)];
      case "asking":
        set(close, { "data-first": true });
        setText(this.#wait, s.asking);
        return [close, this.#wait];
      case "refused":
        return [close, this.#word(s.again, () => void recorder.start())];
      case "recording":
      case "paused":
        return [trash, ...this.#live(recording.phase === "paused", send)];
      case "stopped":
        set(send, { "data-first": true });
        return [trash, this.#player(recording.ms), send];
      case "sending":
        return [
          this.#wait,
          this.#word(s.hold, () => recorder.hold(), "rec-quiet"),
          this.#word(s.now, () => recorder.retryNow()),
        ];
      case "failed": {
        if (!isFinal(recording.problem)) return [
          trash, this.#player(recording.ms), this.#word(s.again, () => void recorder.send()),
        ];
        set(trash, { "data-first": true });
        return [trash, this.#player(recording.ms)];
      }
      case "deleted":
        return [close, h("span", { class: "rec-wait" }, s.deleted), this.#undo()];
      default:
        return [];
    }
  }

  #live(paused: boolean, send: HTMLButtonElement): Node[] {
    const [recorder, s] = [this.#recorder, this.#strings];
    const stop = this.#button("stop", s.stop, () => void recorder.stop());
    const pause = paused ? this.#button(
      "mic", s.resume, () => recorder.resume(), "rec-resume",
    ) : this.#button("pause", s.pause, () => recorder.pause());
    set(this.#skin === "workspace" ? send : stop, { "data-first": true });
    const mark = paused ? h("span", { class: "rec-paused" }, s.paused) : h("span", { class: "rec-dot" });
    this.#wave.follow(recorder.levels);
    return [
      h(
        "span",
        { class: "rec-live" },
        mark,
        h("span", { class: "rec-clock" }, this.#time, this.#left),
        this.#wave.element,
      ),
      pause,
      stop,
      send,
    ];
  }

  #player(ms: number): AudioPlayer {
    const player = document.createElement("earshot-audio");
    return player.show(
      { ms, wave: this.#recorder.levels },
      async () => (this.#preview = URL.createObjectURL(await this.#recorder.blob())),
    );
  }

  #undo(): HTMLElement {
    const button = this.#word(this.#strings.undo, () => this.#recorder.undo(), "rec-undo");
    button.style.setProperty("--undo", `${UNDO_MS}ms`);
    return button;
  }

  #button(name: IconName, label: string, run: () => void, kind = ""): HTMLButtonElement {
    const button = iconButton(name, label, { class: `round ${kind}` });
    button.addEventListener("click", run);
    return button;
  }

  #word(label: string, run: () => void, kind = ""): HTMLButtonElement {
    const picture = kind === "rec-start" && icon("mic");
    const button = h(
      "button", { type: "button", class: `rec-word ${kind}`, "data-first": kind !== "rec-quiet" }, picture, label,
    );
    button.addEventListener("click", run);
    return button;
  }

  #forgetPreview(): void {
    if (this.#preview !== undefined) URL.revokeObjectURL(this.#preview);
    this.#preview = undefined;
  }
}
