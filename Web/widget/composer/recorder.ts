/**
 * Recording in the widget. Its code is loaded when someone is about to record, or when an earlier page left a draft.
 * Until then this file is all there is.
 */
import { bearer } from "../../client/core/api";
import { systemClock } from "../../client/core/browser";
import type { ConsumerSession } from "../../client/consumer/consumer-session";
import type { KeyValue } from "../../client/core/ports";
import type {
  PageMicrophone, RecorderManager, RecorderManagerOptions, RecorderPanel,
} from "../../voice/record/recorder-manager";
import { h } from "../../voice/ui/dom";
import { loadStyleSheet } from "../lazy-parts";

/** What recording needs from the widget. */
export interface WidgetRecorderOptions {
  readonly session: ConsumerSession;
  readonly storage: KeyValue;
  /** Loads the player: the recorder has one. */
  readonly loadPlayer: () => Promise<unknown>;
  /** The longest voice message, in milliseconds. */
  readonly limitMs: () => number;
  /** Whether voice messages are turned off. */
  readonly off: () => boolean;
  readonly announce: (text: string) => void;
  /** Says to the person who built the page around why the microphone will not work. */
  readonly problem: (text: string) => void;
  /** The panel covers the composer, or no longer does. `focus`: the composer receives the focus. */
  readonly covers: (covers: boolean, focus: boolean) => void;
}

/** The recorder of the current conversation. */
interface Opened {
  readonly manager: RecorderManager;
  readonly panel: RecorderPanel;
  readonly conversation: string;
}

/** What differs between the managers of the page. */
type OwnOptions = Pick<RecorderManagerOptions, "owner" | "deliver" | "kept">;

type RecorderCode = typeof import("../../voice/record/recorder-manager");

/** The recorder beside the composer, and the maker of other recorders in the widget. */
export class WidgetRecorder {
  /** The place of the recorder panel. */
  readonly element = h("div");
  readonly #options: WidgetRecorderOptions;
  #code: Promise<RecorderCode> | undefined;
  #microphone: PageMicrophone | undefined;
  #opened: Opened | undefined;

  constructor(options: WidgetRecorderOptions) {
    this.#options = options;
  }

  /** Whether something would be lost if the page closed now. */
  get unsafe(): boolean {
    return this.#opened?.manager.store.get().unsafe === true;
  }

  /** Loads the code, so that the first press finds it, also without a network. */
  prepare(): void {
    this.#load().then(({ microphoneProblem }) => {
      const problem = microphoneProblem();
      if (problem) this.#options.problem(problem);
    }).catch(() => {});
  }

  /**
   * Starts a recording for the current conversation, and waits for it where the page is too new to have one. Returns
   * false where the code could not be loaded, or no conversation came.
   */
  async record(): Promise<boolean> {
    try {
      const { store } = this.#options.session;
      await (await this.#load()).until(store, ({ phase }) => phase !== "starting");
      const opened = await this.#open();
      opened?.panel.start();
      return opened !== undefined;
    } catch {
      return false;
    }
  }

  /** Follows the session to its conversation: offers the drafts of that one, and drops those of any other. */
  follow(): void {
    const conversation = this.#conversation;
    if (conversation === undefined || this.#opened?.conversation === conversation) return;
    if (this.#opened || this.#hasDrafts) void this.#open().catch(() => {});
  }

  /** Retries uploads now: the network is back. */
  retryNow(): void {
    this.#opened?.manager.retryNow();
  }

  /** Stops recording. What was recorded is kept. */
  stopCapture(): void {
    this.#opened?.manager.stopCapture();
  }

  /**
   * Loads the code and makes a manager whose drafts belong to `owner`. All managers of the page share one microphone.
   */
  async newManager(own: OwnOptions): Promise<{ manager: RecorderManager; code: RecorderCode }> {
    const code = await this.#load();
    return { manager: this.#make(code, own), code };
  }

  #make(code: RecorderCode, own: OwnOptions): RecorderManager {
    const { session, storage, limitMs, off } = this.#options;
    this.#microphone ??= new code.PageMicrophone(storage);
    return new code.RecorderManager({
      ...own, limitMs, off, clock: systemClock, random: Math.random, microphone: this.#microphone,
      fetch: (url, init) => fetch(url, init), credentials: () => bearer(session.store.get().consumer?.token ?? ""),
    });
  }

  async #open(): Promise<Opened | undefined> {
    const { session, limitMs, announce, covers } = this.#options;
    const code = await this.#load();
    const conversation = this.#conversation;
    if (conversation === undefined || this.#opened?.conversation === conversation) return this.#opened;
    this.#leave();
    const manager = this.#make(code, {
      owner: session.place, kept: (some) => (this.#hasDrafts = some),
      deliver: (to, audio, key) => this.#conversation === to && session.say({ kind: "audio", audio }, key),
    });
    const panel = new code.RecorderPanel(
      { recorder: manager.recorder(conversation), skin: "widget", announce, covers, limitMs }
    );
    this.element.append(panel.element);
    this.#opened = { manager, panel, conversation };
    void manager.restore((c) => c === conversation);
    return this.#opened;
  }

  /** The conversation changed, or ended: nothing of the former one may be sent any longer. */
  #leave(): void {
    this.#opened?.panel.release();
    this.#opened?.panel.element.remove();
    void this.#opened?.manager.wipe();
    this.#opened = undefined;
  }

  #load(): Promise<RecorderCode> {
    if (this.#code) return this.#code;
    const code = Promise.all(
      [import("../../voice/record/recorder-manager"), loadStyleSheet("recorder.css"), this.#options.loadPlayer()]
    ).then(([module]) => module);
    this.#code = code;
    code.catch(() => (this.#code = undefined));
    return code;
  }

  get #conversation(): string | undefined {
    return this.#options.session.store.get().consumer?.conversation;
  }

  /** A note to the next page: there is a draft on this device. */
  get #hasDrafts(): boolean {
    try {
      return this.#options.storage.get(this.#draftsKey) !== undefined;
    } catch {
      return false;
    }
  }

  set #hasDrafts(some: boolean) {
    try {
      if (some) this.#options.storage.set(this.#draftsKey, "1");
      else this.#options.storage.remove(this.#draftsKey);
    } catch {
      // Where a note cannot be stored, a draft cannot be either.
    }
  }

  get #draftsKey(): string {
    return `${this.#options.session.place}voice`;
  }
}
