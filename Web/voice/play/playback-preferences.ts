/**
 * The listener's preferences: speed, silences, and the position in each message. Stored on the device, per listener.
 */
import { isObject, number } from "../../client/core/parse";
import type { KeyValue } from "../../client/core/ports";

/** The playback speeds. */
export const RATES = [0.75, 1, 1.25, 1.5, 2, 3] as const;
/** A playback speed. */
export type Rate = (typeof RATES)[number];

/** The most positions that are stored; the oldest is dropped first. */
export const MOST_PLACES = 50;
/** Positions closer to the beginning or the end than this are not stored. */
const WORTH_MS = 1500;

/** The stored preferences of one listener. */
export class PlaybackPreferences {
  readonly #watchers = new Set<() => void>();
  #rate: Rate = 1;
  #cut = false;
  #places = new Map<string, number>();
  readonly #storage: KeyValue;
  readonly #owner: string;

  constructor(storage: KeyValue, owner: string) {
    this.#storage = storage;
    this.#owner = owner;
    const kept = this.#kept();
    this.#rate = RATES.find((rate) => rate === kept["rate"]) ?? 1;
    this.#cut = kept["cut"] === true;
    const places = Array.isArray(kept["places"]) ? kept["places"].slice(-MOST_PLACES) : [];
    for (const one of places) if (Array.isArray(one) && typeof one[0] === "string" && number(one[1])) this.#places.set(
      one[0], Number(one[1]),
    );
  }

  get rate(): Rate {
    return this.#rate;
  }

  set rate(rate: Rate) {
    this.#rate = rate;
    this.#changed();
  }

  /** Silences are skipped. */
  get cut(): boolean {
    return this.#cut;
  }

  set cut(cut: boolean) {
    this.#cut = cut;
    this.#changed();
  }

  /** One step faster or slower. */
  step(by: 1 | -1): Rate {
    const at = RATES.indexOf(this.#rate) + by;
    this.rate = RATES[Math.min(RATES.length - 1, Math.max(0, at))] ?? 1;
    return this.#rate;
  }

  /** Where `media` was left, in milliseconds; 0 where it was not. */
  place(media: string): number {
    return this.#places.get(media) ?? 0;
  }

  leave(media: string, at: number, ms: number): void {
    const had = this.#places.delete(media);
    const worth = at >= WORTH_MS && at <= ms - WORTH_MS;
    if (worth) this.#places.set(media, Math.round(at));
    this.#places = new Map([...this.#places].slice(-MOST_PLACES));
    if (had || worth) this.#keep();
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  #changed(): void {
    this.#keep();
    for (const watcher of [...this.#watchers]) watcher();
  }

  get #name(): string {
    return `earshot.listening.${this.#owner}`;
  }

  #keep(): void {
    try {
      this.#storage.set(this.#name, JSON.stringify({ rate: this.#rate, cut: this.#cut, places: [...this.#places] }));
    } catch {
      // Storage is full or blocked: it lasts as long as the page.
    }
  }

  #kept(): Record<string, unknown> {
    try {
      const kept: unknown = JSON.parse(this.#storage.get(this.#name) ?? "{}");
      return isObject(kept) ? kept : {};
    } catch {
      return {};
    }
  }
}
