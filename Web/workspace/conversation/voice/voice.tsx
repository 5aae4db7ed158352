import { createElement, type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import type { AgentSession } from "../../../client/agent/agent-session";
import type { AudioContent } from "../../../client/conversation/events";
import type { Bubble } from "../../../client/conversation/thread";
import type { CatchUp } from "../../../voice/play/catchup";
import { download } from "../../../voice/play/download";
import { mediaURL } from "../../../voice/play/formats";
import { playNext } from "../../../voice/play/unplayed";
import { type AudioPlayer, defineAudioPlayer } from "../../../voice/ui/player";
import { useWorkspace } from "../../app/session-context";

defineAudioPlayer();

interface VoiceProps {
  c: string;
  bubble: Bubble;
}

/** The player for a private note or a survey answer; its playback progress is not reported. */
export function NoteVoice(
  { c, n, own, audio }: { c: string; n: number; own: boolean; audio: AudioContent },
): ReactElement {
  const { identity } = useWorkspace();
  const ref = useRef<AudioPlayer>(null);
  const me = identity.agent.id;
  useLayoutEffect(() => {
    const { media, loud, scan, ms, wave } = audio;
    ref.current?.show(
      { ms, wave, ...(loud === undefined ? {} : { loud }), ...(scan ? { scan } : {}) },
      () => mediaURL(c, media),
      {
        media,
        own,
        who: me,
        unplayed: false,
        bytes: async () => (await fetch(mediaURL(c, media))).arrayBuffer(),
        downloads: {
          mp3: () => download(`${mediaURL(c, media, "mp3")}?download=1`),
          original: () => download(mediaURL(c, media, "original")),
        },
      },
    );
  }, [c, n, own, audio, me]);
  return createElement("earshot-audio", { ref, class: "voice" });
}

/** A voice message in the shared player. Length and waveform are shown at once; audio is fetched on play. */
export function VoiceMessage({ c, bubble }: VoiceProps): ReactElement {
  const { session, identity } = useWorkspace();
  const ref = useRef<AudioPlayer>(null);
  const { said, own, unplayed, n } = bubble;
  const me = identity.agent.id;
  useLayoutEffect(() => {
    if (said.kind !== "audio") return;
    const { media, loud, scan, ms, wave } = said.audio;
    const content = { ms, wave, ...(loud === undefined ? {} : { loud }), ...(scan ? { scan } : {}) };
    ref.current?.show(content, () => mediaURL(c, media), {
      media,
      own,
      who: me,
      unplayed: unplayed === true,
      bytes: async () => (await fetch(mediaURL(c, media))).arrayBuffer(),
      downloads: {
        mp3: () => download(`${mediaURL(c, media, "mp3")}?download=1`),
        original: () => download(mediaURL(c, media, "original")),
      },
      ...(own ? {} : playbackReports(session, c, n)),
    });
  }, [c, said, own, unplayed, n, session, me]);
  return createElement("earshot-audio", { ref, class: "voice" });
}

function playbackReports(
  session: AgentSession,
  c: string,
  n: number,
): { played: (from: number, to: number) => void; rested: () => void } {
  return {
    played: (from, to) => session.playbackProgress.played(n, from, to, c),
    rested: () => session.playbackProgress.flush(),
  };
}

/** The bar that plays all unplayed messages; visible where there are any. `turn` changes with the messages. */
export function CatchUpBar({ turn }: { turn: unknown }): ReactElement {
  const { catchUp } = useWorkspace().ui;
  const ref = useRef<HTMLDivElement>(null);
  const bar = useRef<CatchUp | undefined>();
  useEffect(() => {
    const frame = ref.current?.closest(".timeline-frame");
    if (!frame || !ref.current) return;
    const place = ref.current;
    let release = (): void => void (isOpen = false);
    let isOpen = true;
    const show = (made: CatchUp): void => {
      bar.current = made;
      const unregister = catchUp.show(made);
      place.append(made.element);
      release = () => {
        made.release();
        made.element.remove();
        unregister();
      };
    };
    // Without a network there is no bar; the next conversation tries again.
    import("./catch-up-part").then((code) => isOpen && show(new code.CatchUp(frame)), () => {});
    return () => release();
  }, [catchUp]);
  useEffect(() => bar.current?.update(), [turn]);
  return <div className="catch-up" ref={ref} />;
}

/** Starts and stops catch-up playback of the open conversation, for the keyboard shortcut. */
export class CatchUpControl {
  #current: CatchUp | undefined;

  /** Takes the bar of the conversation that was opened. Returns the way to remove it. */
  show(bar: CatchUp): () => void {
    this.#current = bar;
    return () => {
      if (this.#current === bar) this.#current = undefined;
    };
  }

  /** Starts or stops playback. False where nothing is left to play. */
  readonly toggle = (): boolean => {
    if (this.#current?.running !== true) return this.#current?.start() === true;
    this.#current.stop();
    return true;
  };
}

/** Plays the next unplayed message. */
export function playUnplayed(): boolean {
  const box = document.getElementById("messages");
  return box !== null && playNext(box);
}

/** Changes the playback speed by one step. */
export function changeSpeed(by: 1 | -1): boolean {
  defineAudioPlayer().preferences.step(by);
  return document.querySelector("earshot-audio") !== null;
}

/** Pauses playback, or plays the next unplayed or newest voice message. False where there is none. */
export function togglePlaying(): boolean {
  const players = [...document.querySelectorAll<AudioPlayer>("#messages earshot-audio")];
  const playing = players.find((one) => one.playing);
  const player = playing ?? players.find((one) => one.unplayed) ?? players[players.length - 1];
  if (player === undefined) return false;
  if (player.playing) player.pause();
  else void player.play();
  player.scrollIntoView({ block: "nearest" });
  return true;
}
