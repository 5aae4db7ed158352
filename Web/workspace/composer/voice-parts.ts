/** Everything of recording: fetched right after the page stands, for nobody speaks in the first second. */
// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import type { AgentSession } from "../../client/agent/agent-session";
import { proof, type Session } from "../../client/agent/sign-in";
import type { AgentAsk } from "../../client/agent/commands";
import { browserStore, systemClock } from "../../client/core/browser";
import { ClipUploads } from "../../client/agent/clip-uploads";
import type { AudioContent } from "../../client/conversation/events";
import type { UploadAPI } from "../../client/core/upload-api";
import { PageMicrophone, RecorderManager, RecorderPanel } from "../../voice/record/recorder-manager";
import type { Booths } from "./recorders";
import { request } from "../app/session-context";
import { words } from "../i18n/contact-centre-words";

/** The booths of a signed-in agent. */
export function newBooths(session: Session, desk: AgentSession, csrf: () => string): Booths {
  const microphone = new PageMicrophone(browserStore());
  const panel: Booths["panel"] = (options, note) => new RecorderPanel(note ? { ...options, strings: words.note.recorder } : options);
  return { booth: newBooth(session, desk, csrf, microphone), notes: newNotes(session, desk, csrf, microphone), clips: newClips(session, desk, csrf, microphone), awaitClip, panel };
}

/** Everything of recording for a signed-in agent. What is kept on the device is theirs alone, and goes when they sign out. */
function newBooth(session: Session, desk: AgentSession, csrf: () => string, microphone: PageMicrophone): RecorderManager {
  return boothFor(microphone, `agent ${session.account.id} ${session.agent.id}`, desk, csrf, (c, recording, key) => desk.speak(c, recording, key));
}

/** The same for private notes, and for what is said along with a transfer. */
function newNotes(session: Session, desk: AgentSession, csrf: () => string, microphone: PageMicrophone): RecorderManager {
  const keep = (c: string, recording: AudioContent, key: string): void => desk.ask(c, handOver(c, recording.media) ?? { note: { audio: recording.media } }, key);
  return boothFor(microphone, `agent ${session.account.id} ${session.agent.id} notes`, desk, csrf, keep);
}

/** Where a transfer waits for its spoken note, by conversation. */
const handOvers = new Map<string, (media: string) => AgentAsk>();

/** The next private recording of `c` goes along with this transfer; the answer takes that back. */
export function withHandOver(c: string, transfer: (media: string) => AgentAsk): () => void {
  handOvers.set(c, transfer);
  return () => void handOvers.delete(c);
}

function handOver(c: string, media: string): AgentAsk | undefined {
  const transfer = handOvers.get(c);
  handOvers.delete(c);
  return transfer?.(media);
}

/** Who waits for a clip, and clips for which nobody waited, by the name of their draft. */
const [takers, arrived] = [new Map<string, (recording: AudioContent) => void>(), new Map<string, AudioContent>()];

/** What is spoken for canned replies: in the settings, and for no conversation. */
function newClips(session: Session, desk: AgentSession, csrf: () => string, microphone: PageMicrophone): RecorderManager {
  const deliver = (name: string, recording: AudioContent): void => {
    const take = takers.get(name);
    if (take === undefined) arrived.set(name, recording);
    else take(recording);
  };
  const uploads = new ClipUploads(request, () => proof(csrf()));
  return boothFor(microphone, `agent ${session.account.id} ${session.agent.id} clips`, desk, csrf, deliver, uploads);
}

function awaitClip(name: string, take: (recording: AudioContent) => void): () => void {
  takers.set(name, take);
  const found = arrived.get(name);
  arrived.delete(name);
  if (found !== undefined) take(found);
  return () => void (takers.get(name) === take && takers.delete(name));
}

type Deliver = (c: string, recording: AudioContent, key: string) => void;

function boothFor(microphone: PageMicrophone, owner: string, desk: AgentSession, csrf: () => string, deliver: Deliver, uploads?: UploadAPI): RecorderManager {
  const audio = (): { on: boolean; ms: number } => desk.store.get().settings.audio;
  return new RecorderManager({
    owner,
    microphone,
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
