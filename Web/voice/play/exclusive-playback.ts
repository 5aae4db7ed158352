/** One voice at a time: on this page, and across all tabs of the same person. */

/** Whoever plays. */
export interface Speaker {
  pause(): void;
}

/** What of a BroadcastChannel is needed. */
export interface Line {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent<unknown>) => void) | null;
}

export class Floor {
  #speaker: Speaker | undefined;

  /** `line` reaches the other tabs; it never brings back what this tab said. */
  constructor(private readonly line?: Line) {
    if (line) line.onmessage = () => this.hush();
  }

  /** From now on `speaker` plays, and nobody else. */
  take(speaker: Speaker): void {
    if (this.#speaker !== speaker) this.hush();
    this.#speaker = speaker;
    this.line?.postMessage("playing");
  }

  has(speaker: Speaker): boolean {
    return this.#speaker === speaker;
  }

  leave(speaker: Speaker): void {
    if (this.#speaker === speaker) this.#speaker = undefined;
  }

  /** Nobody plays. */
  hush(): void {
    this.#speaker?.pause();
    this.#speaker = undefined;
  }
}

/** The floor of a person in this browser. */
export function floorOf(owner: string): Floor {
  try {
    return new Floor(new BroadcastChannel(`earshot.playing.${owner}`) as unknown as Line);
  } catch {
    return new Floor();
  }
}
