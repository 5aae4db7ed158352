/** The microphone of a page: which device was chosen, and which recorder may open it. */
import type { KeyValue } from "../../client/core/ports";
import { listens } from "./recording";
import type { Recording } from "./recording";

/** Whatever may have the microphone open. */
export interface MicrophoneHolder {
  readonly recording: Recording;
}

const DEVICE_KEY = "earshot.mic";

/** One object for each page. Every recorder manager of the page receives the same one. */
export class PageMicrophone {
  readonly #storage: KeyValue;
  #holder: MicrophoneHolder | undefined;

  constructor(storage: KeyValue) {
    this.#storage = storage;
  }

  /** The device that was chosen on this browser. "" is the default microphone. */
  get device(): string {
    try {
      return this.#storage.get(DEVICE_KEY) ?? "";
    } catch {
      return "";
    }
  }

  set device(id: string) {
    try {
      this.#storage.set(DEVICE_KEY, id);
    } catch {
      // The storage is full: the next recording uses the device of before.
    }
  }

  /** Gives the microphone to `recorder`. Returns false while another recorder has it open. */
  claim(recorder: MicrophoneHolder): boolean {
    if (this.#holder !== undefined && this.#holder !== recorder && listens(this.#holder.recording)) return false;
    this.#holder = recorder;
    return true;
  }
}
