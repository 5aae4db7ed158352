/** The recorder's hints: why a recording ended, what is wrong with the microphone, and what to do. */
import { microphoneMenu } from "../record/devices";
import { browserLike, watchPermission } from "../record/microphone-check";
import type { Permission } from "../record/microphone-check";
import { h, set } from "./dom";
import type { Recorder } from "../record/recorder";
import type { RecorderState } from "../record/recorder-state";
import type { RecorderStrings } from "./recorder-strings";
import type { Recording } from "../record/recording";
import { fill } from "./strings";
import { clockText } from "./time";

/** The line of hints under the recorder. */
export class Hints {
  readonly element = h("div", { class: "rec-note", hidden: true });
  readonly #text = h("p", {});
  #permission: Permission = "unknown";
  #unwatch: () => void = () => {};
  readonly #recorder: Recorder;
  readonly #strings: RecorderStrings;
  readonly #announce: (text: string) => void;
  readonly #limitMs: () => number;

  constructor(recorder: Recorder, s: RecorderStrings, announce: (text: string) => void, limitMs: () => number) {
    this.#recorder = recorder;
    this.#strings = s;
    this.#announce = announce;
    this.#limitMs = limitMs;
    this.element.append(this.#text);
  }

  /**
   * Enters another state. While the microphone is refused or not requested yet, changes of the permission are shown.
   */
  enter(recording: Recording): void {
    this.#unwatch();
    this.#unwatch = () => {};
    this.#permission = "unknown";
    this.#menu(false);
    if (recording.phase !== "refused" && recording.phase !== "armed") return;
    this.#unwatch = watchPermission((now) => {
      this.#permission = now;
      this.update(this.#recorder.store.get());
    });
  }

  update(state: RecorderState): void {
    const text = this.#for(state);
    const { phase } = state.recording;
    set(
      this.element,
      {
        hidden: text === "",
        "data-tone": phase === "failed" || phase === "refused" ? "bad" : phase === "armed" ? "calm" : undefined,
      },
    );
    this.#menu(phase === "recording" && state.silent);
    if (this.#text.textContent === text) return;
    this.#text.textContent = text;
    if (text !== "") this.#announce(text);
  }

  release(): void {
    this.#unwatch();
  }

  #for({ recording, silent, clips, stalled, retention }: RecorderState): string {
    const s = this.#strings;
    const kept = retention === "kept" ? "" : s[retention];
    switch (recording.phase) {
      case "armed":
        return s.permission[this.#permission];
      case "recording":
        return silent ? s.silent : clips ? s.clips : kept;
      case "paused":
        return kept;
      case "stopped":
        return [s.ending[recording.ending], kept].filter((text) => text !== "").join(" ");
      case "sending":
        return stalled ? [s.stalled, kept].join(" ").trim() : "";
      case "failed":
        return fill(s.problem[recording.problem], { length: clockText(this.#limitMs()) });
      case "refused":
        return this.#refused(recording.problem);
      default:
        return "";
    }
  }

  #refused(problem: Extract<Recording, { phase: "refused" }>["problem"]): string {
    const s = this.#strings;
    const asked = problem === "denied" || problem === "dismissed";
    if (asked && this.#permission === "granted") return s.allowedNow;
    return problem === "denied" ? `${s.problem.denied} ${s.grant[browserLike()]}` : s.problem[problem];
  }

  /** Offers another microphone while no sound is detected. */
  #menu(shown: boolean): void {
    const menu = this.element.querySelector("select");
    if (shown && !menu) this.element.append(microphoneMenu(this.#recorder, this.#strings));
    else if (!shown) menu?.remove();
  }
}
