/** Voice messages before the player's code is here: their place, their length, and a promise to be playable. Small, because it loads with the page. */
import { h } from "./dom";
import type { AudioPlayer } from "./player";
import { lengthText } from "./time";

export type Voice = Parameters<AudioPlayer["show"]>;

let coming: Promise<unknown> | undefined;

/** The player's code; asked for again after a failure. */
function load(): Promise<unknown> {
  coming ??= import("./player").then(({ defineAudioPlayer }) => defineAudioPlayer(), () => (coming = undefined));
  return coming;
}

/** A player, or the place of one. */
export function voiceElement(...voice: Voice): HTMLElement {
  const element = document.createElement("earshot-audio") as HTMLElement & { voice?: Voice };
  if (!customElements.get("earshot-audio")) element.append(h("span", { class: "ea-wait" }, lengthText(voice[0].ms)));
  showVoice(element, ...voice);
  return element;
}

/** What changed of a message that is shown already. */
export function showVoice(element: HTMLElement, ...voice: Voice): void {
  const player = element as AudioPlayer;
  player.voice = voice;
  if (customElements.get("earshot-audio")) player.show(...voice);
  else void load();
}

/** Stops whatever plays, where anything could. */
export const stopVoices = (): void => void coming?.then(() => import("../play/playback-context")).then(({ stopPlaying }) => stopPlaying());
