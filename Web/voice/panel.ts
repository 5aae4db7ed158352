/** The recorder as a person sees it: one row in place of the composer, the same height in every state, so that nothing jumps. */
import { h, iconButton, set } from "./dom";
import type { AudioPlayer } from "./player";
import { defineAudioPlayer, stopPlaying } from "./player";
import type { Recorder, RecorderState } from "./recorder";
import type { Recording } from "./recording";
import { fill, voiceStrings } from "./strings";
import type { VoiceStrings } from "./strings";
import { clockText, lengthText } from "./time";
import { Wave } from "./wave";

export interface PanelOptions {
  readonly recorder: Recorder;
  readonly strings?: VoiceStrings;
  /** Says a sentence to people who listen to the page instead of looking at it. */
  readonly announce: (text: string) => void;
  /** The recorder is idle again: show the composer, and give it the focus when the panel had it. */
  readonly idle: (hadFocus: boolean) => void;
  readonly limitMs: () => number;
}

type Phase = Recording["phase"];

export class RecorderPanel {
  readonly element = h("div", { class: "rec", role: "group", hidden: true });
  readonly #s: VoiceStrings;
  readonly #wave = new Wave();
  readonly #time = h("span", { class: "rec-time", role: "timer" });
  readonly #note = h("p", { class: "rec-note" });
  readonly #row = h("div", { class: "rec-row" });
  #shown: Phase = "idle";
  #frame = 0;
  #preview: string | undefined;
  readonly #unwatch: () => void;

  constructor(private readonly with_: PanelOptions) {
    defineAudioPlayer();
    this.#s = with_.strings ?? voiceStrings;
    set(this.element, { "aria-label": this.#s.record });
    this.element.append(this.#row, this.#note);
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.#unwatch = with_.recorder.store.subscribe(() => this.#render());
  }

  /** Starts a recording; the microphone is asked for only now. */
  start(conversation: string): void {
    stopPlaying();
    void this.with_.recorder.start(conversation);
  }

  release(): void {
    this.#unwatch();
    this.#wave.release();
    this.#forgetPreview();
    cancelAnimationFrame(this.#frame);
  }

  #render(): void {
    const state = this.with_.recorder.store.get();
    if (state.recording.phase !== this.#shown) this.#enter(state);
    this.#update(state);
  }

  #enter(state: RecorderState): void {
    const [{ recording }, before] = [state, this.#shown];
    const hadFocus = this.element.contains(document.activeElement) || document.activeElement === document.body;
    this.#shown = recording.phase;
    set(this.element, { "data-phase": recording.phase, hidden: recording.phase === "idle" });
    this.#forgetPreview();
    this.#row.replaceChildren(...this.#parts(recording));
    if (recording.phase === "idle") this.with_.idle(hadFocus);
    else if (hadFocus || before === "idle") this.#row.querySelector<HTMLElement>("[data-first]")?.focus();
    this.#say(recording, before);
    if (recording.phase === "recording") this.#draw();
  }

  #parts(recording: Recording): Node[] {
    const { recorder } = this.with_;
    const s = this.#s;
    const trash = iconButton("trash", s.trash, { class: "rec-button" });
    trash.addEventListener("click", () => recorder.cancel());
    const send = iconButton("send", s.send, { class: "rec-button rec-send" });
    send.addEventListener("click", () => void recorder.send());
    switch (recording.phase) {
      case "asking": {
        const close = iconButton("close", s.close, { class: "rec-button", "data-first": true });
        close.addEventListener("click", () => recorder.cancel());
        return [close, h("span", { class: "rec-wait" }, s.asking)];
      }
      case "recording": {
        const stop = iconButton("stop", s.stop, { class: "rec-button rec-stop", "data-first": true });
        stop.addEventListener("click", () => void recorder.stop());
        return [trash, h("span", { class: "rec-live" }, h("span", { class: "rec-dot" }), this.#time, this.#wave.element), stop, send];
      }
      case "stopped":
        set(send, { "data-first": true });
        return [trash, this.#player(recording.ms), send];
      case "sending":
        return [h("span", { class: "rec-wait", tabindex: -1, "data-first": true }, s.sending), h("span", { class: "rec-time" }, lengthText(recording.ms))];
      case "failed":
        return [trash, this.#player(recording.ms), this.#retry(() => void recorder.send())];
      case "refused":
        return [this.#closer(), this.#retry(() => this.#retryStart())];
      default:
        return [];
    }
  }

  #player(ms: number): AudioPlayer {
    const player = document.createElement("earshot-audio");
    player.strings = this.#s;
    const url = (this.#preview = URL.createObjectURL(this.with_.recorder.blob()));
    return player.show({ ms, wave: this.with_.recorder.levels }, url);
  }

  #retry(run: () => void): HTMLElement {
    const button = h("button", { type: "button", class: "rec-again", "data-first": true }, this.#s.again);
    button.addEventListener("click", run);
    return button;
  }

  #closer(): HTMLElement {
    const close = iconButton("close", this.#s.close, { class: "rec-button" });
    close.addEventListener("click", () => this.with_.recorder.cancel());
    return close;
  }

  #retryStart(): void {
    void this.with_.recorder.restart();
  }

  #update(state: RecorderState): void {
    const { recording, seconds, left, silent } = state;
    const text = recording.phase === "recording" && left !== undefined ? fill(this.#s.left, { seconds: left }) : clockText(seconds * 1000);
    if (this.#time.textContent !== text) this.#time.textContent = text;
    this.#time.classList.toggle("rec-ending", left !== undefined);
    const note = this.#noteFor(recording, silent);
    set(this.#note, { hidden: note === "", "data-bad": recording.phase === "failed" || recording.phase === "refused" });
    if (this.#note.textContent !== note) {
      this.#note.textContent = note;
      if (note !== "") this.with_.announce(note);
    }
    if (left === ANNOUNCE_LEFT_SECONDS && this.#announcedLeft !== this.#shown) this.with_.announce(fill(this.#s.saidLeft, { seconds: left }));
    this.#announcedLeft = left === ANNOUNCE_LEFT_SECONDS ? this.#shown : undefined;
  }

  #announcedLeft: Phase | undefined;

  #noteFor(recording: Recording, silent: boolean): string {
    if (recording.phase === "recording") return silent ? this.#s.silent : "";
    if (recording.phase === "stopped" && recording.ending !== "person") return this.#s[recording.ending];
    if (recording.phase !== "failed" && recording.phase !== "refused") return "";
    return fill(this.#s[recording.problem], { length: clockText(this.with_.limitMs()) });
  }

  #say(recording: Recording, before: Phase): void {
    const { announce } = this.with_;
    if (recording.phase === "recording") announce(this.#s.saidStarted);
    if (recording.phase === "stopped") announce(fill(this.#s.saidStopped, { length: lengthText(recording.ms) }));
    if (recording.phase === "idle" && before === "sending") announce(this.#s.saidSent);
    if (recording.phase === "idle" && (before === "recording" || before === "stopped" || before === "failed")) announce(this.#s.saidDeleted);
  }

  /** The live waveform, as often as the screen shows a picture. */
  #draw(): void {
    if (this.#shown !== "recording") return;
    this.#wave.follow(this.with_.recorder.levels);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #key(event: KeyboardEvent): void {
    if (event.key !== "Escape") return;
    const { phase } = this.with_.recorder.store.get().recording;
    if (phase === "recording") void this.with_.recorder.stop();
    else if (phase === "asking" || phase === "refused") this.with_.recorder.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #forgetPreview(): void {
    if (this.#preview !== undefined) URL.revokeObjectURL(this.#preview);
    this.#preview = undefined;
  }
}

const ANNOUNCE_LEFT_SECONDS = 10;
