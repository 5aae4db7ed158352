/**
 * Asks for parts of a conversation that are not here: older ones when someone scrolls up, missing ones when a hole
 * opened.
 */
import type { ConversationEvent } from "./events";
import type { Clock, TimerID } from "../core/ports";
import { filled, hole, paged } from "./timeline";
import type { Timeline } from "./timeline";
import { pageFrame } from "../core/wire";

/** What paging needs from its session. */
export interface PagesOptions {
  readonly clock: Clock;
  /** Returns whether the frame went out. */
  readonly send: (frame: string) => boolean;
  readonly timeline: () => Timeline;
  readonly change: (timeline: Timeline) => void;
  readonly loadingOlder: (loading: boolean) => void;
}

type Asked = { readonly for: "older" | "hole" | "probe"; readonly before: number; readonly limit: number };

/** How many older events one scroll brings. */
export const OLDER_LIMIT = 50;
/** An own message may fill a hole a moment later: wait for it before asking. */
export const HOLE_PATIENCE_MS = 300;

/** Requests pages, one at a time. */
export class Pages {
  /** One question at a time: answers do not say which question they belong to. */
  #asked: Asked | undefined;
  #holeTimer: TimerID | undefined;
  readonly #options: PagesOptions;

  constructor(options: PagesOptions) {
    this.#options = options;
  }

  older(): void {
    const { events, more } = this.#options.timeline();
    const first = events[0]?.n;
    if (!more || first === undefined) return;
    if (this.#ask({ for: "older", before: first, limit: OLDER_LIMIT })) this.#options.loadingOlder(true);
  }

  /** A page that is always empty: costs 40 bytes and proves that the server is there. */
  probe(): string {
    this.#asked ??= { for: "probe", before: 1, limit: 1 };
    return pageFrame(1, 1);
  }

  answered(events: readonly ConversationEvent[], more: boolean): void {
    const [asked, timeline] = [this.#asked, this.#options.timeline()];
    this.#asked = undefined;
    if (asked?.for === "older") this.#options.loadingOlder(false);
    if (asked?.for === "older") this.#options.change(paged(timeline, events, more));
    if (asked?.for === "hole") this.#options.change(filled(timeline, events, asked));
    this.lookForHole();
  }

  lookForHole(): void {
    if (this.#holeTimer !== undefined || !hole(this.#options.timeline())) return;
    this.#holeTimer = this.#options.clock.after(HOLE_PATIENCE_MS, () => {
      this.#holeTimer = undefined;
      const missing = hole(this.#options.timeline());
      if (missing) this.#ask({ for: "hole", ...missing });
    });
  }

  /** The connection was lost, and with it the answer. */
  forget(): void {
    this.#asked = undefined;
    this.#options.loadingOlder(false);
  }

  #ask(asked: Asked): boolean {
    if (this.#asked || !this.#options.send(pageFrame(asked.before, asked.limit))) return false;
    this.#asked = asked;
    return true;
  }
}
