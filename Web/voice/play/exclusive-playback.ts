/** One voice message plays at a time: on this page, and across all tabs of the same person. */

/** Something that plays. */
export interface Player {
  pause(): void;
}

/** What of a BroadcastChannel is needed. */
export interface PlaybackChannel {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
}

/** Knows the player that plays, and pauses it for another. */
export class ExclusivePlayback {
  #player: Player | undefined;
  readonly #channel: PlaybackChannel | undefined;

  /** `channel` reaches the other tabs; it never brings back what this tab said. */
  constructor(channel?: PlaybackChannel) {
    this.#channel = channel;
    if (channel) channel.onmessage = () => this.pauseCurrent();
  }

  /** Makes `player` the only one that plays. */
  acquire(player: Player): void {
    if (this.#player !== player) this.pauseCurrent();
    this.#player = player;
    this.#channel?.postMessage("playing");
  }

  has(player: Player): boolean {
    return this.#player === player;
  }

  release(player: Player): void {
    if (this.#player === player) this.#player = undefined;
  }

  /** Pauses the current player. */
  pauseCurrent(): void {
    this.#player?.pause();
    this.#player = undefined;
  }
}

/** The exclusive playback of a listener in this browser. */
export function exclusivePlaybackFor(owner: string): ExclusivePlayback {
  try {
    return new ExclusivePlayback(new BroadcastChannel(`earshot.playing.${owner}`) as unknown as PlaybackChannel);
  } catch {
    return new ExclusivePlayback();
  }
}
