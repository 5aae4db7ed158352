/**
 * Voice messages before the player's code is loaded: their place, their length, and what the player will show. Small,
 * because it loads with the page.
 */
import { h } from "./dom";
import type { AudioPlayer } from "./player";
import type { PlaybackContext } from "../play/playback-context";
import { lengthText } from "./time";

/** What a player shows: the arguments of `AudioPlayer.show`. */
export type VoiceMessage = Parameters<AudioPlayer["show"]>;

/** Makes player elements, and loads the player's code when the first one is shown. */
export class LazyPlayer {
  #context: Promise<PlaybackContext | undefined> | undefined;

  /** Makes a player, or the placeholder of one. */
  create(...message: VoiceMessage): HTMLElement {
    const element = document.createElement("earshot-audio");
    if (!customElements.get("earshot-audio")) element.append(
      h("span", { class: "ea-wait" }, lengthText(message[0].ms))
    );
    this.show(element, ...message);
    return element;
  }

  /** Shows what changed of a message. */
  show(element: HTMLElement, ...message: VoiceMessage): void {
    const player = element as AudioPlayer;
    player.message = message;
    if (customElements.get("earshot-audio")) player.show(...message);
    else void this.#load();
  }

  /** Pauses whatever plays. */
  stop(): void {
    void this.#context?.then((context) => context?.stop());
  }

  /** Loads the player's code. After a failure the next call tries again. */
  #load(): Promise<unknown> {
    this.#context ??= import("./player").then(
      ({ defineAudioPlayer }) => defineAudioPlayer(), () => (this.#context = undefined),
    );
    return this.#context;
  }
}
