/** The recorders: fetched right after the page is shown, because no one speaks in the first second. */
// Shares one chunk with everything that the page needs at load: see lazy-part.tsx.
import "../app/app";
import { noteDraft } from "../../client/agent/agent-state";
import type { AgentSession } from "../../client/agent/agent-session";
import { ClipUploads } from "../../client/agent/canned-replies/clip-uploads";
import { proof, type Session } from "../../client/agent/sign-in";
import { browserStore, systemClock } from "../../client/core/browser";
import { Store } from "../../client/core/store";
import type { UploadAPI } from "../../client/core/upload-api";
import type { AudioContent } from "../../client/conversation/events";
import { PageMicrophone, RecorderManager, RecorderPanel } from "../../voice/record/recorder-manager";
import type { DialogState } from "../actions/dialog-state";
import { request } from "../app/agent-session";
import { go, parsedRoute } from "../app/route";
import { texts } from "../i18n/texts";
import type { Recorders } from "./recorders";
import { noteCommand, type PendingTransfers, pendingTransfers, type TransferEvent } from "./voice-notes";

/** What the recorders need of a signed-in agent. */
export interface RecorderOwner {
  readonly identity: Session;
  readonly session: AgentSession;
  readonly csrf: () => string;
  readonly dialogs: DialogState;
}

/**
 * The recorders of a signed-in agent. Drafts on the device belong to this agent alone and are erased when they sign
 * out.
 */
export function newRecorders(owner: RecorderOwner): Recorders {
  const clips = new ClipInbox();
  const transfers = new TransferNotes(owner);
  // One microphone for the page: only one recorder at a time may use it.
  const microphone = new PageMicrophone(browserStore());
  return {
    replies: newManager(owner, microphone, "", (c, recording, key) => owner.session.speak(c, recording, key)),
    notes: newManager(owner, microphone, " notes", (c, recording, key) => transfers.deliver(c, recording.media, key)),
    clips: newManager(owner, microphone, " clips", clips.deliver, new ClipUploads(request, () => proof(owner.csrf()))),
    awaitClip: clips.await,
    transfer: transfers.dispatch,
    panel: (options, note) => new RecorderPanel(note ? { ...options, strings: texts.note.recorder } : options),
  };
}

type Deliver = (c: string, recording: AudioContent, key: string) => void;

function newManager(
  { identity, session, csrf }: RecorderOwner,
  microphone: PageMicrophone,
  purpose: string,
  deliver: Deliver,
  uploads?: UploadAPI,
): RecorderManager {
  const audio = (): { on: boolean; ms: number } => session.store.get().settings.audio;
  return new RecorderManager({
    microphone,
    owner: `agent ${identity.account.id} ${identity.agent.id}${purpose}`,
    fetch: request,
    credentials: () => proof(csrf()),
    clock: systemClock,
    random: Math.random,
    limitMs: () => audio().ms,
    off: () => !audio().on,
    deliver,
    ...(uploads && { uploads }),
  });
}

/** Sends private recordings: as notes, or along with the transfer that waits for them. */
class TransferNotes {
  readonly #store = new Store<{ readonly pending: PendingTransfers }>({ pending: {} });

  constructor(private readonly owner: RecorderOwner) {}

  readonly dispatch = (event: TransferEvent): void =>
    this.#store.set({ pending: pendingTransfers(this.#store.get().pending, event) });

  deliver(c: string, media: string, key: string): void {
    const { pending } = this.#store.get();
    this.dispatch({ kind: "recorded", c });
    this.owner.session.ask(c, noteCommand(pending, c, media), key);
    if (pending[c] !== undefined) this.#leave(c);
  }

  /** The conversation was transferred: its dialog and the conversation close. */
  #leave(c: string): void {
    this.owner.session.draft(noteDraft(c), "", false);
    this.owner.dialogs.closeFor("transfer", c);
    const route = parsedRoute(location.hash);
    if (route.c === c) go({ ...route, c: undefined, card: false });
  }
}

/** Hands recorded clips to the settings. A clip that arrives while its reply is not shown waits for it. */
class ClipInbox {
  readonly #takers = new Map<string, (recording: AudioContent) => void>();
  readonly #arrived = new Map<string, AudioContent>();

  readonly deliver = (name: string, recording: AudioContent): void => {
    const take = this.#takers.get(name);
    if (take === undefined) this.#arrived.set(name, recording);
    else take(recording);
  };

  readonly await = (name: string, take: (recording: AudioContent) => void): () => void => {
    this.#takers.set(name, take);
    const arrived = this.#arrived.get(name);
    this.#arrived.delete(name);
    if (arrived !== undefined) take(arrived);
    return () => void (this.#takers.get(name) === take && this.#takers.delete(name));
  };
}
