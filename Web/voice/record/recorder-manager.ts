/**
 * All of recording, loaded when someone is about to record or was interrupted: a recorder for each conversation, one
 * open microphone at a time on a page, and the drafts that earlier pages left on the device.
 */
import type { Credentials, Fetch } from "../../client/core/api";
import type { AudioContent } from "../../client/conversation/events";
import type { Clock, Random } from "../../client/core/ports";
import { Store } from "../../client/core/store";
import { UploadAPI } from "../../client/core/upload-api";
import { openMicrophone } from "./capture";
import type { OpenCapture } from "./capture";
import type { PageMicrophone } from "./page-microphone";
import { DeviceDrafts } from "../storage/drafts";
import type { DraftBook, KeptDraft } from "../storage/drafts";
import { Recorder } from "./recorder";
import { isBusy } from "./recorder-state";
import { listens } from "./recording";
import type { Problem } from "./recording";

export { until } from "../../client/core/until";
export { microphoneProblem } from "./microphone-check";
export { PageMicrophone } from "./page-microphone";
export { RecorderPanel } from "../ui/recorder-panel";
export type { Recorder } from "./recorder";

/** What a manager needs from its front end. */
export interface RecorderManagerOptions {
  /** Whose drafts these are: a signed-in agent, or the consumer of an account and app. */
  readonly owner: string;
  readonly fetch: Fetch;
  readonly credentials: Credentials;
  readonly clock: Clock;
  readonly random: Random;
  /** Longest message in milliseconds. */
  readonly limitMs: () => number;
  /** Voice messages are turned off. */
  readonly off: () => boolean;
  readonly deliver: (conversation: string, audio: AudioContent, key: string) => void;
  /** Called when there are drafts on the device, and when there are none. */
  readonly kept?: (some: boolean) => void;
  /** The microphone of this page: the same object for every manager of the page. */
  readonly microphone: PageMicrophone;
  readonly open?: OpenCapture;
  readonly drafts?: DraftBook;
  readonly uploads?: UploadAPI;
}

/** Signing out does not wait longer for the server. */
const WIPE_WITHIN_MS = 5000;

/** What a front end shows of all recorders. */
export interface RecorderManagerState {
  /** The conversation for which a microphone is open. */
  readonly listening: string | undefined;
  /** Conversations with something that was said and not sent. */
  readonly busy: readonly string[];
  /** Something would be lost if the page ended now. */
  readonly unsafe: boolean;
}

/** The recorders of one owner. */
export class RecorderManager {
  readonly store = new Store<RecorderManagerState>({ listening: undefined, busy: [], unsafe: false });
  readonly #recorders = new Map<string, Recorder>();
  /** Further drafts of conversations whose recorder is in use. */
  readonly #later = new Map<string, KeptDraft[]>();
  readonly #drafts: DraftBook;
  readonly #uploads: UploadAPI;
  readonly #options: RecorderManagerOptions;

  constructor(options: RecorderManagerOptions) {
    this.#options = options;
    this.#drafts = options.drafts ?? new DeviceDrafts(options.owner, options.kept);
    this.#uploads = options.uploads ?? new UploadAPI(options.fetch, options.credentials);
  }

  /** The recorder of a conversation: always the same object, and never used for another conversation. */
  recorder(conversation: string): Recorder {
    const known = this.#recorders.get(conversation);
    if (known) return known;
    const { clock, random, limitMs, deliver, microphone, open = openMicrophone } = this.#options;
    const recorder: Recorder = new Recorder(conversation, {
      open, clock, random, limitMs, deliver, drafts: this.#drafts, uploads: this.#uploads, microphone, forbids: () =>
        this.#forbids(recorder),
    });
    this.#recorders.set(conversation, recorder);
    recorder.store.subscribe(() => this.#changed(recorder));
    return recorder;
  }

  /** Restores the drafts of earlier pages. Drafts of conversations that are no longer `mine` are dropped. */
  async restore(mine: (conversation: string) => boolean): Promise<void> {
    const found = await this.#drafts.found().catch(() => []);
    for (const draft of found) {
      if (!mine(draft.conversation)) await this.#drafts.drop(draft.id).catch(() => {});
      else this.#offer(draft);
    }
  }

  /** The network may be back. */
  retryNow(): void {
    for (const recorder of this.#recorders.values()) recorder.retryNow();
  }

  /** Stops recording: the page is hidden. What was recorded is kept. */
  stopCapture(): void {
    for (const recorder of this.#recorders.values()) recorder.stopCapture();
  }

  /**
   * The person signed out: removes everything, first here and on the device, then on the server within a time limit.
   */
  async wipe(): Promise<void> {
    const gone = [...this.#recorders.values()].map((recorder) => recorder.wipe());
    await this.#drafts.wipe().catch(() => {});
    await Promise.race(
      [Promise.all(gone), new Promise<void>((done) => this.#options.clock.after(WIPE_WITHIN_MS, done))]
    );
  }

  #offer(draft: KeptDraft): void {
    const recorder = this.recorder(draft.conversation);
    if (recorder.recording.phase === "idle") recorder.found(draft);
    else this.#later.set(draft.conversation, [...(this.#later.get(draft.conversation) ?? []), draft]);
  }

  #changed(recorder: Recorder): void {
    const all = [...this.#recorders.values()];
    this.store.set({
      listening: all.find(({ recording }) => listens(recording))?.conversation,
      unsafe: all.some(({ store }) => isBusy(store.get()) && store.get().retention !== "kept"),
    });
    const busy = all.filter(({ store }) => isBusy(store.get())).map(({ conversation }) => conversation);
    if (busy.join() !== this.store.get().busy.join()) this.store.set({ busy });
    const next = recorder.recording.phase === "idle" ? this.#later.get(recorder.conversation)?.shift() : undefined;
    if (next) recorder.found(next);
  }

  #forbids(recorder: Recorder): Problem | undefined {
    if (this.#options.off()) return "off";
    return this.#options.microphone.claim(recorder) ? undefined : "elsewhere";
  }
}
