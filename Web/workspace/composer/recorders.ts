import { useEffect, useMemo, useSyncExternalStore } from "react";
import { Store } from "../../client/core/store";
import type { AudioContent } from "../../client/conversation/events";
import type { RecorderManager, RecorderManagerState, RecorderPanel } from "../../voice/record/recorder-manager";
import { useSession, usePlace } from "../app/session-context";
import { strings } from "../i18n/strings";
import { words } from "../i18n/contact-centre-words";

const text = strings.recording;

/**
 * Where voice messages are recorded, where private notes are, and where the clips of canned replies are: what was recorded for colleagues can never be sent
 * to the consumer, not even after a crash.
 */
export interface Booths {
  readonly booth: RecorderManager;
  readonly notes: RecorderManager;
  readonly clips: RecorderManager;
  /** Gets what is recorded under this name, or was when nobody waited for it; the answer takes that back. */
  readonly awaitClip: (name: string, take: (recording: AudioContent) => void) => () => void;
  /** `note`: it says of itself that what is said there is private. */
  readonly panel: (options: ConstructorParameters<typeof RecorderPanel>[0], note: boolean) => RecorderPanel;
}

/** The way to the booths, which are fetched after the page. */
export class BoothDoor {
  readonly store = new Store<{ readonly here: Booths | undefined }>({ here: undefined });
  #coming: Promise<Booths> | undefined;

  constructor(private readonly fetched: () => Promise<Booths>) {}

  /** Opens it. What could not be fetched is fetched with the next call. */
  open(): Promise<Booths> {
    this.#coming ??= this.fetched();
    this.#coming.then((here) => this.store.set({ here }), () => (this.#coming = undefined));
    return this.#coming;
  }

  /** No microphone stays open. */
  stopCapture(): void {
    const { here } = this.store.get();
    for (const booth of all(here)) booth.stopCapture();
  }

  /** Nothing that was recorded remains on the device. */
  async wipe(): Promise<void> {
    const here = await this.open().catch(() => undefined);
    await Promise.all(all(here).map((booth) => booth.wipe()));
  }
}

const all = (here: Booths | undefined): readonly RecorderManager[] => (here === undefined ? [] : [here.booth, here.notes, here.clips]);

export function useBooths(): Booths | undefined {
  const { door } = usePlace();
  return useSyncExternalStore(door.store.subscribe, door.store.get).here;
}

const none = new Store<RecorderManagerState>({ listening: undefined, busy: [], unsafe: false });

export function useBooth(): RecorderManagerState {
  const { booth, notes } = useBooths() ?? {};
  const [replies, privates] = [booth?.store ?? none, notes?.store ?? none];
  const said = useSyncExternalStore(replies.subscribe, replies.get);
  const noted = useSyncExternalStore(privates.subscribe, privates.get);
  return useMemo(() => ({
    listening: said.listening ?? noted.listening, busy: [...said.busy, ...noted.busy], unsafe: said.unsafe || noted.unsafe,
  }), [said, noted]);
}

/** Why this agent cannot record in this conversation now; `undefined` where they can. */
export function useWhyNot(c: string, status: string, ready: boolean, note: boolean): string | undefined {
  const { on, why = "brand" } = useSession().settings.audio;
  const here = useBooths();
  const { listening } = useBooth();
  if (!on) return text.off[why];
  if (status === "closed" && !note) return text.closed;
  if (here === undefined) return text.notHere;
  if ((note ? here.booth : here.notes).store.get().listening !== undefined) return note ? words.note.replyRecording : words.note.recording;
  if (listening !== undefined && listening !== c) return text.elsewhere;
  return ready ? undefined : text.notYet;
}

/** What the page does for the recorders: nothing that was said is lost, and no microphone stays open. */
export function useBoothLife(): void {
  const { on } = useSession().settings.audio;
  const { door } = usePlace();
  const here = useBooths();
  useEffect(() => {
    void door.open().catch(() => {});
    const online = (): void => void door.open().catch(() => {});
    addEventListener("online", online);
    return () => removeEventListener("online", online);
  }, [door]);
  useEffect(() => {
    if (here === undefined) return;
    const booths = all(here);
    for (const booth of booths) void booth.restore(() => true);
    const online = (): void => booths.forEach((booth) => booth.retryNow());
    const gone = (): void => booths.forEach((booth) => booth.stopCapture());
    const leaving = (event: BeforeUnloadEvent): void => {
      if (booths.some(({ store }) => store.get().unsafe)) event.preventDefault();
    };
    addEventListener("online", online);
    addEventListener("pagehide", gone);
    addEventListener("beforeunload", leaving);
    return () => {
      removeEventListener("online", online);
      removeEventListener("pagehide", gone);
      removeEventListener("beforeunload", leaving);
      gone();
    };
  }, [here]);
  // Switched off while somebody speaks: what was said is kept.
  useEffect(() => {
    if (!on) door.stopCapture();
  }, [door, on]);
}
