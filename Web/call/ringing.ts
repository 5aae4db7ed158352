/** Rings while somebody calls. No UI. */
import { AlertSound } from "../voice/play/alert-sound";

/** The pause between two sounds. */
const EVERY_MS = 2600;

/** The ringing of one page. Of several pages of the same origin, one rings. */
export class Ringing {
  readonly #sound = new AlertSound();
  #stop: (() => void) | undefined;

  /** Rings from now on, or stops. */
  set(rings: boolean): void {
    if (rings === (this.#stop !== undefined)) return;
    this.#stop?.();
    this.#stop = rings ? this.#begin() : undefined;
  }

  #begin(): () => void {
    const over = new AbortController();
    void navigator.locks?.request("earshot.ring", { signal: over.signal }, () => {
      this.#sound.play();
      const timer = setInterval(() => this.#sound.play(), EVERY_MS);
      return new Promise<void>((done) => {
        over.signal.addEventListener("abort", () => {
          clearInterval(timer);
          done();
        });
      });
    }).catch(() => undefined);
    return () => over.abort();
  }
}
