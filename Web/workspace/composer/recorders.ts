import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { Store } from "../../client/core/store";
import type { AudioContent } from "../../client/conversation/events";
import type { RecorderManager, RecorderManagerState, RecorderPanel } from "../../voice/record/recorder-manager";
import { useSessionState, useWorkspace } from "../app/session-context";
import { texts } from "../i18n/texts";
import type { TransferEvent } from "./voice-notes";

const text = texts.recording;

/**
 * One recorder for replies, one for private notes, one for clips of canned replies. They are separate so that a
 * recording for colleagues can never be sent to the consumer, not even after a crash.
 */
export interface Recorders {
  readonly replies: RecorderManager;
  readonly notes: RecorderManager;
  readonly clips: RecorderManager;
  /** Receives the clip recorded under this name, now or later. Returns the way to stop waiting. */
  readonly awaitClip: (name: string, take: (recording: AudioContent) => void) => () => void;
  /** Tells which transfer takes the next private recording of a conversation along. */
  readonly transfer: (event: TransferEvent) => void;
  /** A recorder's controls; those for a `note` say that the recording is private. */
  readonly panel: (options: ConstructorParameters<typeof RecorderPanel>[0], note: boolean) => RecorderPanel;
}

/** Fetches the recorders, which are not part of what the page needs at load. */
export class RecorderLoader {
  readonly store = new Store<{ readonly here: Recorders | undefined }>({ here: undefined });
  #loading: Promise<Recorders> | undefined;

  constructor(private readonly fetched: () => Promise<Recorders>) {}

  /** Fetches the recorders once; after a failure the next call tries again. */
  load(): Promise<Recorders> {
    this.#loading ??= this.fetched();
    this.#loading.then((here) => this.store.set({ here }), () => (this.#loading = undefined));
    return this.#loading;
  }

  /** Pauses every recording, so that no microphone stays open. */
  pause(): void {
    for (const manager of managersOf(this.store.get().here)) manager.stopCapture();
  }

  /** Erases every recording on this device. */
  async wipe(): Promise<void> {
    const here = await this.load().catch(() => undefined);
    await Promise.all(managersOf(here).map((manager) => manager.wipe()));
  }
}

const managersOf = (here: Recorders | undefined): readonly RecorderManager[] =>
  here === undefined ? [] : [here.replies, here.notes, here.clips];

/** What the keyboard shortcuts do to the recorder that is shown. */
export interface RecorderActions {
  /** Opens the recorder; starts; pauses; resumes. */
  readonly next: () => void;
  readonly stop: () => void;
}

/** The recorders on the page; the shortcuts go to the one that was shown last: a dialog's before the composer's. */
export class RecorderShortcuts {
  readonly #shown: RecorderActions[] = [];

  /** Adds a recorder. Returns the way to remove it. */
  show(actions: RecorderActions): () => void {
    this.#shown.unshift(actions);
    return () => void this.#shown.splice(this.#shown.indexOf(actions), 1);
  }

  /** Runs one of the actions. False where no recorder is shown. */
  run(action: keyof RecorderActions): boolean {
    this.#shown[0]?.[action]();
    return this.#shown.length > 0;
  }
}

/** The recorders, once they have been fetched. */
export function useRecorders(): Recorders | undefined {
  const { recorders } = useWorkspace();
  return useSyncExternalStore(recorders.store.subscribe, recorders.store.get).here;
}

/** What the recorders of replies and notes do now, taken together. */
export function useRecorderState(): RecorderManagerState {
  const { replies, notes } = useRecorders() ?? {};
  const [idle] = useState(() => new Store<RecorderManagerState>({ listening: undefined, busy: [], unsafe: false }));
  const [replyStore, noteStore] = [replies?.store ?? idle, notes?.store ?? idle];
  const reply = useSyncExternalStore(replyStore.subscribe, replyStore.get);
  const note = useSyncExternalStore(noteStore.subscribe, noteStore.get);
  return useMemo(() => ({
    listening: reply.listening ?? note.listening,
    busy: [...reply.busy, ...note.busy],
    unsafe: reply.unsafe || note.unsafe,
  }), [reply, note]);
}

/** Why the agent cannot record in this conversation now; `undefined` where they can. */
export function useRecordingBlocker(c: string, status: string, ready: boolean, note: boolean): string | undefined {
  const { on, why = "brand" } = useSessionState().settings.audio;
  const here = useRecorders();
  const { listening } = useRecorderState();
  if (!on) return text.off[why];
  if (status === "closed" && !note) return text.closed;
  if (here === undefined) return text.notHere;
  const other = note ? here.replies : here.notes;
  if (other.store.get().listening !== undefined) return note ? texts.note.replyRecording : texts.note.recording;
  if (listening !== undefined && listening !== c) return text.elsewhere;
  return ready ? undefined : text.notYet;
}

/** Fetches the recorders, restores unsent recordings, and closes the microphone when the page is left. */
export function useRecorderLifecycle(): void {
  const { on } = useSessionState().settings.audio;
  const { recorders } = useWorkspace();
  const here = useRecorders();
  useEffect(() => {
    const load = (): void => void recorders.load().catch(() => {});
    load();
    addEventListener("online", load);
    return () => removeEventListener("online", load);
  }, [recorders]);
  useEffect(() => (here === undefined ? undefined : superviseRecordings(managersOf(here))), [here]);
  // Voice messages were switched off during a recording: what was recorded is kept.
  useEffect(() => {
    if (!on) recorders.pause();
  }, [recorders, on]);
}

function superviseRecordings(managers: readonly RecorderManager[]): () => void {
  for (const manager of managers) void manager.restore(() => true);
  const online = (): void => managers.forEach((manager) => manager.retryNow());
  const hidden = (): void => managers.forEach((manager) => manager.stopCapture());
  const leaving = (event: BeforeUnloadEvent): void => {
    if (managers.some(({ store }) => store.get().unsafe)) event.preventDefault();
  };
  addEventListener("online", online);
  addEventListener("pagehide", hidden);
  addEventListener("beforeunload", leaving);
  return () => {
    removeEventListener("online", online);
    removeEventListener("pagehide", hidden);
    removeEventListener("beforeunload", leaving);
    hidden();
  };
}
