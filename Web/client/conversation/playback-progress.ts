/**
 * Reports to the server what was really played here. Progress only grows and reports are idempotent, so what may have
 * been lost with a connection is simply sent again.
 */
import { covered, parseSpans } from "./played-spans";
import type { Span } from "./events";
import { isObject, number, string } from "../core/parse";
import type { Clock, KeyValue, TimerID } from "../core/ports";
import { playedFrame } from "../core/wire";

/** While a message plays, progress is reported this often. */
export const REPORT_EVERY_MS = 4000;
/** Reports sent less than this before a reconnect may have been lost, and are sent again. */
export const REPORT_AGAIN_MS = 90_000;
/** The most messages that are remembered. Without a connection the oldest are dropped. */
export const MOST_REPORTED = 64;
/** A frame carries at most so many spans. */
export const MOST_SPANS = 64;

/** What the reporter needs from its session. */
export interface PlaybackProgressOptions {
  readonly clock: Clock;
  readonly storage: KeyValue;
  /** The storage key for what was not reported yet. */
  readonly place: () => string;
  /** Returns whether the frame went out. */
  readonly send: (frame: string) => boolean;
}

interface Entry {
  readonly c?: string;
  readonly n: number;
  readonly spans: readonly Span[];
  /** When it went out last; absent while something of it was never said. */
  readonly sent?: number;
}

/** Collects played spans, and sends and stores them. */
export class PlaybackProgressReporter {
  readonly #entries = new Map<string, Entry>();
  #timer: TimerID | undefined;
  #tidy: TimerID | undefined;
  #recalled = false;
  readonly #options: PlaybackProgressOptions;

  constructor(options: PlaybackProgressOptions) {
    this.#options = options;
  }

  /** These milliseconds of message `n` were played. An agent names the conversation. */
  played(n: number, from: number, to: number, c?: string): void {
    this.#recall();
    const name = nameOf(n, c);
    const known = this.#entries.get(name)?.spans ?? [];
    const spans = covered(known, from, to);
    if (spans === known || n < 1) return;
    this.#entries.delete(name);
    this.#entries.set(name, { n, spans, ...(c === undefined ? {} : { c }) });
    for (const old of [...this.#entries.keys()].slice(
      0, Math.max(0, this.#entries.size - MOST_REPORTED),
    )) this.#entries.delete(old);
    this.#timer ??= this.#options.clock.after(REPORT_EVERY_MS, () => this.flush());
  }

  /** Reports what was not reported yet: at a pause and at the end. What cannot be sent is stored on the device. */
  flush(): void {
    if (this.#timer !== undefined) this.#options.clock.cancel(this.#timer);
    this.#timer = undefined;
    this.#recall();
    for (const [name, entry] of this.#entries) {
      if (entry.sent === undefined && this.#out(entry)) this.#entries.set(
        name, { ...entry, sent: this.#options.clock.now() },
      );
    }
    this.#keep();
  }

  /** A new connection: reports again what may never have arrived, and what the device stored. */
  reconnected(): void {
    const since = this.#options.clock.now() - REPORT_AGAIN_MS;
    this.#recall();
    for (const [
      name, { sent, ...entry },
    ] of this.#entries) if (sent !== undefined && sent >= since) this.#entries.set(name, entry);
    this.flush();
  }

  /** Forgets everything: another person or another conversation follows. */
  forget(): void {
    this.#recalled = true;
    this.#entries.clear();
    this.flush();
  }

  /** What an earlier page left, once, before anything new is kept in its place. */
  #recall(): void {
    if (this.#recalled) return;
    this.#recalled = true;
    for (const { n, c, spans } of this.#kept()) for (const [from, to] of spans) this.played(n, from, to, c);
  }

  #out({ n, spans, c }: Entry): boolean {
    for (let at = 0; at < spans.length; at += MOST_SPANS) {
      if (!this.#options.send(playedFrame(n, spans.slice(at, at + MOST_SPANS), c))) return false;
    }
    return true;
  }

  /**
   * Stores what was not reported, and for a while what was: reports are not acknowledged, and the page may close with
   * the connection.
   */
  #keep(): void {
    const { clock } = this.#options;
    const since = clock.now() - REPORT_AGAIN_MS;
    const unsure = [...this.#entries.values()].filter(({ sent }) => sent === undefined || sent >= since);
    if (this.#tidy !== undefined) clock.cancel(this.#tidy);
    this.#tidy = unsure.length > 0 ? clock.after(REPORT_AGAIN_MS + 1, () => this.#keep()) : undefined;
    const place = this.#options.place();
    try {
      if (unsure.length > 0) this.#options.storage.set(
        place, JSON.stringify(unsure.map(({ sent: _, ...entry }) => entry)),
      );
      else if (this.#options.storage.get(place) !== undefined) this.#options.storage.remove(place);
    } catch {
      // Storage is full or blocked: it is reported while this page is open, or not at all.
    }
  }

  #kept(): Entry[] {
    try {
      const kept: unknown = JSON.parse(this.#options.storage.get(this.#options.place()) ?? "[]");
      return Array.isArray(kept) ? kept.slice(-MOST_REPORTED).flatMap(parseEntry) : [];
    } catch {
      return [];
    }
  }
}

const nameOf = (n: number, c: string | undefined): string => `${c ?? ""} ${n}`;

function parseEntry(v: unknown): Entry[] {
  const [n, spans, c] = isObject(v) ? [number(v["n"]), parseSpans(v["spans"]), string(v["c"])] : [];
  return n === undefined || spans === undefined ? [] : [{ n, spans, ...(c === undefined ? {} : { c }) }];
}
