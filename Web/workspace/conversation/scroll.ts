import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Thread } from "../../client/agent/agent-thread";
import type { AgentRow } from "../../client/agent/private-rows";
import { useLatest } from "../ui/hooks";
import type { Box } from "./timeline";

/** So close to the end counts as the end. */
const NEAR_PX = 48;
/** So close to the beginning asks for more. */
const EARLY_PX = 240;

/** Where each conversation was left: pixels from the end, which stays true when older history arrives above. */
const places = new Map<string, number>();

interface ScrollEvents {
  bottom: (inSight: boolean) => void;
  older: () => void;
}

interface Scroll {
  behind: number | undefined;
  toBottom: () => void;
}

/**
 * Keeps the place: at the end it stays at the end, anywhere else what one reads stays where it is, whatever arrives above
 * or below. `behind` is the number of messages that came below the place, or undefined at the end.
 */
export function useScroll(box: Box, thread: Thread, rows: readonly AgentRow[], events: ScrollEvents): Scroll {
  const atEnd = useRef(true);
  const fromEnd = useRef(0);
  const [behind, setBehind] = useState<number | undefined>();
  const told = useLatest(events);
  const first = thread.timeline.events[0]?.n;
  const last = rows[rows.length - 1];
  const seen = useRef<{ first: number | undefined; last: string | undefined }>({ first: undefined, last: undefined });

  const settle = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    fromEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight;
    const near = fromEnd.current < NEAR_PX;
    if (near !== atEnd.current) told.current.bottom(near);
    atEnd.current = near;
    setBehind((count) => (near ? undefined : count ?? 0));
    if (element.scrollTop < EARLY_PX) told.current.older();
  }, [box, told]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const { c } = thread;
    const left = places.get(c) ?? 0;
    atEnd.current = left < NEAR_PX;
    element.scrollTop = element.scrollHeight - element.clientHeight - left;
    fromEnd.current = left;
    told.current.bottom(atEnd.current);
    setBehind(atEnd.current ? undefined : 0);
    element.addEventListener("scroll", settle, { passive: true });
    const sizes = new ResizeObserver(() => hold(element, atEnd.current));
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    return () => {
      places.set(c, atEnd.current ? 0 : fromEnd.current);
      element.removeEventListener("scroll", settle);
      sizes.disconnect();
    };
  }, [box, thread.c, settle, told]);

  useLayoutEffect(() => {
    const element = box.current;
    const before = seen.current;
    seen.current = { first, last: last?.id };
    if (element === null || before.last === undefined) return;
    const grewAbove = before.first !== first && before.last === last?.id;
    if (grewAbove) element.scrollTop = element.scrollHeight - element.clientHeight - (atEnd.current ? 0 : fromEnd.current);
    if (before.last === last?.id || last === undefined) return;
    const own = last.row === "bubble" && last.own;
    if (own || atEnd.current) hold(element, true);
    else if (last.row === "bubble") setBehind((count) => (count ?? 0) + 1);
  }, [box, first, last]);

  useEffect(() => {
    const element = box.current;
    if (element !== null && element.scrollTop < EARLY_PX && thread.phase === "live") told.current.older();
  }, [box, thread.phase, told, first]);

  const toBottom = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    element.scrollTo({ top: element.scrollHeight, behavior: calm() ? "auto" : "smooth" });
    element.focus({ preventScroll: true });
  }, [box]);

  return { behind, toBottom };
}

function hold(element: HTMLElement, end: boolean): void {
  if (end) element.scrollTop = element.scrollHeight;
}

function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
