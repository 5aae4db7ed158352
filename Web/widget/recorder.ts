/** Speaking, in the widget. What it needs is fetched when somebody is about to speak, or spoke and was interrupted; until then this is all there is. */
import { bearer } from "../client/core/api";
import { systemClock } from "../client/core/browser";
import type { ConsumerSession } from "../client/consumer/consumer-session";
import type { KeyValue } from "../client/core/ports";
import type { RecorderManager, RecorderPanel } from "../voice/record/recorder-manager";
import { h } from "../voice/ui/dom";
import { loadStyleSheet } from "./lazy-parts";

export interface WidgetRecorderOptions {
  readonly session: ConsumerSession;
  readonly storage: KeyValue;
  /** Names the account and app: whose drafts these are. */
  readonly place: string;
  readonly limitMs: () => number;
  readonly off: () => boolean;
  readonly announce: (text: string) => void;
  readonly covers: (covers: boolean, focus: boolean) => void;
}

/** What is there once the recorder was fetched. */
interface Open {
  readonly recorders: RecorderManager;
  readonly panel: RecorderPanel;
  readonly conversation: string;
}

export class WidgetRecorder {
  /** Where the recorder stands. */
  readonly element = h("div", { class: "voice-place" });
  #parts: Promise<typeof import("../voice/record/recorder-manager")> | undefined;
  #open: Open | undefined;
  readonly #options: WidgetRecorderOptions;

  constructor(options: WidgetRecorderOptions) {
    this.#options = options;
  }

  /** Something would be lost if the page went away now. */
  get unsafe(): boolean {
    return this.#open?.recorders.store.get().unsafe === true;
  }

  /** Fetches what is needed, so that the first press finds it there, also without a network. */
  prepare(): void {
    this.#fetched().catch(() => {});
  }

  /** Starts a recording for the conversation of this moment. False: what it needs could not be fetched. */
  async record(): Promise<boolean> {
    try {
      const open = await this.#opened();
      open?.panel.start();
      return open !== undefined;
    } catch {
      return false;
    }
  }

  /** The session has this conversation now: what was said in it before is offered again, and nothing of another one remains. */
  follow(): void {
    const conversation = this.#conversation;
    if (conversation === undefined || this.#open?.conversation === conversation) return;
    if (this.#open || this.#noted) void this.#opened().catch(() => {});
  }

  retryNow(): void {
    this.#open?.recorders.retryNow();
  }

  stopCapture(): void {
    this.#open?.recorders.stopCapture();
  }

  async #opened(): Promise<Open | undefined> {
    const { RecorderManager, RecorderPanel } = await this.#fetched();
    const conversation = this.#conversation;
    if (conversation === undefined || this.#open?.conversation === conversation) return this.#open;
    this.#leave();
    const { session, place, limitMs, off, announce, covers } = this.#options;
    const recorders = new RecorderManager({
      owner: place, fetch: (url, init) => fetch(url, init), credentials: () => bearer(session.store.get().consumer?.token ?? ""),
      clock: systemClock, random: Math.random, limitMs, off, kept: (some) => (this.#noted = some),
      deliver: (to, audio, key) => this.#conversation === to && session.say({ kind: "audio", audio }, key),
    });
    const panel = new RecorderPanel({ recorder: recorders.recorder(conversation), skin: "widget", announce, covers, limitMs });
    this.element.append(panel.element);
    this.#open = { recorders, panel, conversation };
    void recorders.restore((c) => c === conversation);
    return this.#open;
  }

  /** Another conversation, or none: nothing of the one before may be sent any more. */
  #leave(): void {
    this.#open?.panel.release();
    this.#open?.panel.element.remove();
    void this.#open?.recorders.wipe();
    this.#open = undefined;
  }

  #fetched(): Promise<typeof import("../voice/record/recorder-manager")> {
    if (this.#parts) return this.#parts;
    const parts = Promise.all([import("../voice/record/recorder-manager"), loadStyleSheet("recorder.css")]).then(([recorders]) => recorders);
    this.#parts = parts;
    parts.catch(() => (this.#parts = undefined));
    return parts;
  }

  get #conversation(): string | undefined {
    return this.#options.session.store.get().consumer?.conversation;
  }

  /** A word to the next page: there is a draft on this device. */
  get #noted(): boolean {
    try {
      return this.#options.storage.get(this.#note) !== undefined;
    } catch {
      return false;
    }
  }

  set #noted(some: boolean) {
    try {
      if (some) this.#options.storage.set(this.#note, "1");
      else this.#options.storage.remove(this.#note);
    } catch {
      // Where a word cannot be left, a draft cannot be either.
    }
  }

  get #note(): string {
    return `${this.#options.place}voice`;
  }
}

