import { type MutableRefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Thread } from "../../client/agent/agent-thread";
import type { AgentRow } from "../../client/agent/private-rows";
import { useWorkspace } from "../app/session-context";
import { useLatest } from "../ui/hooks";
import type { Box } from "./timeline";

/** Within this distance of the end counts as the end. */
const NEAR_PX = 48;
/** Within this distance of the beginning older messages are fetched. */
const EARLY_PX = 240;

/** Where each conversation was left: pixels from its end, which older history arriving above does not change. */
export class ScrollPositions {
  readonly #fromEnd = new Map<string, number>();

  get(c: string): number {
    return this.#fromEnd.get(c) ?? 0;
  }

  set(c: string, fromEnd: number): void {
    this.#fromEnd.set(c, fromEnd);
  }
}

interface ScrollEvents {
  readonly bottom: (inSight: boolean) => void;
  readonly older: () => void;
}

interface Scroll {
  readonly behind: number | undefined;
  readonly toBottom: () => void;
}

/** The position now: whether the end is visible, and how far away it is. */
interface Position {
  readonly atEnd: MutableRefObject<boolean>;
  readonly fromEnd: MutableRefObject<number>;
  readonly setBehind: (change: (count: number | undefined) => number | undefined) => void;
  readonly events: { readonly current: ScrollEvents };
}

/**
 * Keeps the scroll position: at the end it stays at the end, anywhere else the visible messages stay where they are,
 * whatever arrives above or below. `behind` is the number of messages that arrived below, or undefined at the end.
 */
export function useScroll(box: Box, thread: Thread, rows: readonly AgentRow[], events: ScrollEvents): Scroll {
  const atEnd = useRef(true);
  const fromEnd = useRef(0);
  const [behind, setBehind] = useState<number | undefined>();
  const latest = useLatest(events);
  const [position] = useState<Position>({ atEnd, fromEnd, setBehind, events: latest });
  useRestoredPosition(box, thread.c, position);
  useStablePosition(box, thread, rows, position);
  useOlderMessages(box, thread, position);

  const toBottom = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    element.scrollTo({ top: element.scrollHeight, behavior: prefersReducedMotion() ? "auto" : "smooth" });
    element.focus({ preventScroll: true });
  }, [box]);

  return { behind, toBottom };
}

/** Returns to where the conversation was left, and follows the scrolling from there. */
function useRestoredPosition(box: Box, c: string, position: Position): void {
  const { scroll } = useWorkspace().ui;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { atEnd, fromEnd, setBehind, events } = position;
    const left = scroll.get(c);
    atEnd.current = left < NEAR_PX;
    element.scrollTop = element.scrollHeight - element.clientHeight - left;
    fromEnd.current = left;
    events.current.bottom(atEnd.current);
    setBehind(() => (atEnd.current ? undefined : 0));
    const settle = (): void => settled(element, position);
    element.addEventListener("scroll", settle, { passive: true });
    const sizes = new ResizeObserver(() => hold(element, atEnd.current));
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    return () => {
      scroll.set(c, atEnd.current ? 0 : fromEnd.current);
      element.removeEventListener("scroll", settle);
      sizes.disconnect();
    };
  }, [box, c, position, scroll]);
}

function settled(element: HTMLElement, { atEnd, fromEnd, setBehind, events }: Position): void {
  fromEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight;
  const near = fromEnd.current < NEAR_PX;
  if (near !== atEnd.current) events.current.bottom(near);
  atEnd.current = near;
  setBehind((count) => (near ? undefined : count ?? 0));
  if (element.scrollTop < EARLY_PX) events.current.older();
}

/** Keeps the visible messages in place when messages arrive above or below. */
function useStablePosition(box: Box, thread: Thread, rows: readonly AgentRow[], position: Position): void {
  const first = thread.timeline.events[0]?.n;
  const last = rows[rows.length - 1];
  const seen = useRef<{ first: number | undefined; last: string | undefined }>({ first: undefined, last: undefined });
  useLayoutEffect(() => {
    const { atEnd, fromEnd, setBehind } = position;
    const element = box.current;
    const before = seen.current;
    seen.current = { first, last: last?.id };
    if (element === null || before.last === undefined) return;
    const grewAbove = before.first !== first && before.last === last?.id;
    if (grewAbove) {
      element.scrollTop = element.scrollHeight - element.clientHeight - (atEnd.current ? 0 : fromEnd.current);
    }
    if (before.last === last?.id || last === undefined) return;
    const own = last.row === "bubble" && last.own;
    if (own || atEnd.current) hold(element, true);
    else if (last.row === "bubble") setBehind((count) => (count ?? 0) + 1);
  }, [box, first, last, position]);
}

/** Fetches older messages as long as the beginning of what is loaded is visible. */
function useOlderMessages(box: Box, thread: Thread, { events }: Position): void {
  const first = thread.timeline.events[0]?.n;
  useEffect(() => {
    const element = box.current;
    if (element !== null && element.scrollTop < EARLY_PX && thread.phase === "live") events.current.older();
  }, [box, thread.phase, events, first]);
}

function hold(element: HTMLElement, end: boolean): void {
  if (end) element.scrollTop = element.scrollHeight;
}

function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
