/**
 * Voice messages before the player's code is loaded: their place, their length, and what the player will show. Small,
 * because it loads with the page.
 */
import type { KeyValue } from "../../client/core/ports";
import type { PlaybackContext } from "../../voice/play/playback-context";
import { h } from "../../voice/ui/dom";
import type { AudioPlayer } from "../../voice/ui/player";
import { lengthText } from "../../voice/ui/time";
import { loadStyleSheet } from "../lazy-parts";

/** What a player shows: the arguments of `AudioPlayer.show`. */
export type VoiceMessage = Parameters<AudioPlayer["show"]>;

/** Makes player elements, and loads the player's code when the first one is shown. */
export class LazyPlayer {
  readonly #storage: KeyValue;
  #context: Promise<PlaybackContext> | undefined;

  /** `storage` holds the listener's preferences. */
  constructor(storage: KeyValue) {
    this.#storage = storage;
  }

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
    else this.load().catch(() => {});
  }

  /** Pauses whatever plays. */
  stop(): void {
    this.#context?.then((context) => context.stop(), () => {});
  }

  /** Loads the player's code. After a failure the next call tries again. */
  load(): Promise<unknown> {
    this.#context ??= Promise.all([import("../../voice/ui/player"), loadStyleSheet("player.css")]).then(
      ([{ defineAudioPlayer }]) => defineAudioPlayer(this.#storage),
    );
    this.#context.catch(() => (this.#context = undefined));
    return this.#context;
  }
}
