/**
 * The recorder as a person sees it: one row with a note under it, the same height in every state, so that nothing
 * jumps. One panel, two skins.
 */
import { h, set } from "./dom";
import { Hints } from "./hints";
import { PanelRow } from "./panel-row";
import { defineAudioPlayer } from "./player";
import type { Recorder } from "../record/recorder";
import { UNDO_MS } from "../record/recorder-state";
import type { RecorderState } from "../record/recorder-state";
import { recorderStrings } from "./recorder-strings";
import type { RecorderStrings } from "./recorder-strings";
import type { Phase, Recording } from "../record/recording";
import { fill, plural } from "./strings";
import { lengthText } from "./time";

/** What a panel needs from its front end. */
export interface PanelOptions {
  readonly recorder: Recorder;
  /** `workspace`: for someone who works with it all day, by keyboard; sending is the first thing at hand. */
  readonly skin: "widget" | "workspace";
  /** Texts that differ from the defaults. */
  readonly strings?: Partial<RecorderStrings>;
  /** Announces a sentence to screen readers. */
  readonly announce: (text: string) => void;
  /** Called when the panel covers the composer, or no longer does. `focus`: the composer receives the focus. */
  readonly covers: (covers: boolean, focus: boolean) => void;
  readonly limitMs: () => number;
}

/** The remaining time is announced from this number of seconds on. */
const ANNOUNCE_LEFT_SECONDS = 15;

/** The panel of one recorder. */
export class RecorderPanel {
  readonly element = h("div", { class: "rec", role: "group", hidden: true });
  readonly #strings: RecorderStrings;
  readonly #row: PanelRow;
  readonly #hints: Hints;
  #shown: Phase = "idle";
  #saidLeft = false;
  #frame = 0;
  readonly #unwatch: () => void;
  readonly #options: PanelOptions;

  constructor(options: PanelOptions) {
    this.#options = options;
    this.#strings = { ...recorderStrings, ...options.strings };
    this.#row = new PanelRow(options.recorder, this.#strings, options.skin);
    this.#hints = new Hints(options.recorder, this.#strings, options.announce, options.limitMs);
    set(this.element, { "aria-label": this.#strings.group, "data-skin": options.skin });
    this.element.append(this.#row.element, this.#hints.element);
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.#unwatch = options.recorder.store.subscribe(() => this.#render());
    const state = options.recorder.store.get();
    if (state.recording.phase !== "idle") this.#enter(state, true);
    this.#render();
  }

  /** Opens the panel without using the microphone. */
  arm(): void {
    this.#options.recorder.arm();
  }

  /** Starts a recording; the microphone is asked for only now. */
  start(): void {
    defineAudioPlayer().stop();
    void this.#options.recorder.start();
  }

  release(): void {
    this.#unwatch();
    this.#row.release();
    this.#hints.release();
    cancelAnimationFrame(this.#frame);
  }

  #render(): void {
    const state = this.#options.recorder.store.get();
    if (state.recording.phase !== this.#shown) this.#enter(state);
    this.#row.update(state);
    this.#hints.update(state);
    this.#sayLeft(state);
  }

  /** `quiet`: the panel is new and the state is not, as when a conversation is opened again. */
  #enter({ recording }: RecorderState, quiet = false): void {
    const before = this.#shown;
    const active = document.activeElement;
    const hadFocus = this.element.contains(active) || active === document.body || before === "idle";
    this.#shown = recording.phase;
    set(this.element, { "data-phase": recording.phase, hidden: recording.phase === "idle" });
    if (recording.phase === "recording") defineAudioPlayer().stop();
    this.#row.show(recording);
    this.#hints.enter(recording);
    const covers = recording.phase !== "idle" && recording.phase !== "deleted";
    this.#options.covers(covers, hadFocus && before !== "idle" && recording.phase === "idle");
    // A restored draft does not take the focus.
    if (hadFocus && !quiet && !(recording.phase === "stopped" && recording.ending === "found")) this.#row.focus();
    if (!quiet) this.#say(recording, before);
    if (recording.phase === "recording") this.#draw();
  }

  #say(recording: Recording, before: Phase): void {
    const { announce } = this.#options;
    if (recording.phase === "recording") announce(
      before === "paused" ? this.#strings.saidResumed : this.#strings.saidStarted
    );
    if (recording.phase === "paused") announce(fill(this.#strings.saidPaused, { length: lengthText(recording.ms) }));
    if (recording.phase === "stopped" && recording.ending === "person") announce(
      fill(this.#strings.saidStopped, { length: lengthText(recording.ms) })
    );
    if (recording.phase === "deleted") announce(
      plural(this.#strings.saidDeleted, UNDO_MS / 1000, this.#strings.language)
    );
    if (recording.phase === "idle" && before === "sending") announce(this.#strings.saidSent);
  }

  #sayLeft({ left }: RecorderState): void {
    if (left === undefined) this.#saidLeft = false;
    if (left === undefined || left > ANNOUNCE_LEFT_SECONDS || this.#saidLeft) return;
    this.#saidLeft = true;
    this.#options.announce(plural(this.#strings.saidLeft, left, this.#strings.language));
  }

  /** The live waveform, as often as the screen shows a picture. */
  #draw(): void {
    if (this.#shown !== "recording") return;
    this.#row.follow(this.#options.recorder.levels);
    this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #key(event: KeyboardEvent): void {
    if (event.defaultPrevented || !this.#handles(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  #handles(event: KeyboardEvent): boolean {
    const { recorder, skin } = this.#options;
    const { phase } = recorder.recording;
    if (event.key === "Escape") {
      if (phase === "asking" || phase === "refused" || phase === "armed") recorder.close();
      else if (phase === "deleted" || phase === "sending") return false;
      else recorder.delete();
      return true;
    }
    // On a desktop, Enter sends and the space bar pauses while the focus stays where it was put.
    const pauses = skin === "workspace" && event.key === " " && this.#row.isFirst(event.target);
    if (pauses && phase === "recording") recorder.pause();
    else if (pauses && phase === "paused") recorder.resume();
    else return false;
    return true;
  }
}

