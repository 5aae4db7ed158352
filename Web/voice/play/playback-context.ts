/**
 * What all players of a page share: who listens, that person's preferences, and that only one message plays at a time.
 */
import type { KeyValue } from "../../client/core/ports";
import { ExclusivePlayback, exclusivePlaybackFor } from "./exclusive-playback";
import { LoudnessGain } from "./loudness-gain";
import { PlaybackPreferences } from "./playback-preferences";
import { SilenceDetector } from "./silence-detector";
import { SizeObserver } from "../ui/size-observer";

/** One object for each page. */
export class PlaybackContext {
  /** Amplifies quiet messages. */
  readonly loudness = new LoudnessGain();
  /** Finds the silences of messages. */
  readonly silences = new SilenceDetector();
  /** Tells waveforms their size. */
  readonly sizes = new SizeObserver();
  readonly #storage: KeyValue;
  readonly #watchers = new Set<() => void>();
  #listener = "";
  #preferences: PlaybackPreferences;
  #exclusive: ExclusivePlayback;

  constructor(storage: KeyValue) {
    this.#storage = storage;
    this.#preferences = this.#loadPreferences();
    this.#exclusive = exclusivePlaybackFor(this.#listener);
  }

  /** How the listener plays messages: speed, silences, and where each message was left. */
  get preferences(): PlaybackPreferences {
    return this.#preferences;
  }

  /** Makes sure that only one message plays at a time. */
  get exclusive(): ExclusivePlayback {
    return this.#exclusive;
  }

  /**
   * Sets the listener's identity: an agent's id, or a consumer's conversation. Preferences and positions are kept per
   * listener.
   */
  listenAs(listener: string): void {
    if (listener === this.#listener) return;
    this.stop();
    this.#listener = listener;
    this.#preferences = this.#loadPreferences();
    this.#exclusive = exclusivePlaybackFor(listener);
    this.#changed();
  }

  /** Calls `watcher` when the preferences or the listener change. Returns the way to stop that. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Pauses whatever plays: before a recording starts, or when the page is hidden. */
  stop(): void {
    this.#exclusive.pauseCurrent();
  }

  #loadPreferences(): PlaybackPreferences {
    const preferences = new PlaybackPreferences(this.#storage, this.#listener);
    preferences.watch(() => this.#changed());
    return preferences;
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher();
  }
}
