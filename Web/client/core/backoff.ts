/** Exponential back-off with full jitter: after an outage, clients reconnect spread over time. */
import type { Random } from "./ports";

/** First ceiling and highest ceiling of the wait, in milliseconds. */
export const BACKOFF_FIRST_MS = 500;
/** The highest ceiling of the wait, in milliseconds. */
export const BACKOFF_MOST_MS = 30_000;

/** How long to wait before try number `attempt` (from 0): anything between nothing and the ceiling, which doubles. */
export function backoff(attempt: number, random: Random, first = BACKOFF_FIRST_MS, most = BACKOFF_MOST_MS): number {
  return Math.floor(random() * Math.min(most, first * 2 ** Math.min(attempt, 20)));
}
