/** Which milliseconds of a voice message were played: disjoint spans in ascending order. Pure. */
import type { Span } from "./events";

/** Adds a span; what overlaps or touches becomes one. Nothing is ever taken away. */
export function covered(spans: readonly Span[], from: number, to: number): readonly Span[] {
  const [a, b] = [Math.max(0, Math.round(from)), Math.round(to)];
  if (!(b > a) || spans.some(([start, end]) => start <= a && b <= end)) return spans;
  const apart = spans.filter(([start, end]) => end < a || start > b);
  const joined = spans.filter(([start, end]) => end >= a && start <= b);
  const whole: Span = [Math.min(a, ...joined.map(([start]) => start)), Math.max(b, ...joined.map(([, end]) => end))];
  return [...apart, whole].sort((x, y) => x[0] - y[0]);
}

/** How many milliseconds they are together. */
export const playedMs = (spans: readonly Span[]): number => spans.reduce((sum, [from, to]) => sum + to - from, 0);

/** Spans as the wire or a storage brought them; what is none is left out. */
export function parseSpans(v: unknown): readonly Span[] {
  if (!Array.isArray(v)) return [];
  return v.reduce<readonly Span[]>((spans, one: unknown) => {
    if (!Array.isArray(one) || typeof one[0] !== "number" || typeof one[1] !== "number") return spans;
    return Number.isFinite(one[0]) && Number.isFinite(one[1]) ? covered(spans, one[0], one[1]) : spans;
  }, []);
}
