import { createElement, useLayoutEffect, useRef, type ReactElement } from "react";
import type { AudioContent } from "../../client/events";
import { defineAudioPlayer, type AudioPlayer } from "../../voice/player";

defineAudioPlayer();

/** A voice message: the player that widget and workspace share. Length and waveform stand there at once, the sound comes at the first play. */
export function Voice({ c, audio }: { c: string; audio: AudioContent }): ReactElement {
  const ref = useRef<AudioPlayer>(null);
  useLayoutEffect(() => {
    ref.current?.show(audio, `/v1/media/${encodeURIComponent(c)}/${encodeURIComponent(audio.media)}.mp3`);
  }, [c, audio]);
  return createElement("earshot-audio", { ref, class: "voice" });
}

/** Plays the newest voice message on the page, or pauses what plays. False where there is none. */
export function togglePlaying(): boolean {
  const players = [...document.querySelectorAll<AudioPlayer>("earshot-audio")];
  const player = players.find((one) => one.playing) ?? players[players.length - 1];
  if (player === undefined) return false;
  if (player.playing) player.pause();
  else void player.play();
  player.scrollIntoView({ block: "nearest" });
  return true;
}
