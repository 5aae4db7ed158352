import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

const BEAT_MS = 20_000;

/** The time, often enough for "7 min" to be true. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), BEAT_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** True while the media query matches. */
export const PHONE = "(max-width: 759px)";

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = (): void => setMatches(media.matches);
    changed();
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, [query]);
  return matches;
}

/** True while the page is visible and has the focus. */
export function useAttention(): boolean {
  const looks = (): boolean => document.visibilityState === "visible" && document.hasFocus();
  const [attention, setAttention] = useState(looks);
  useEffect(() => {
    const changed = (): void => setAttention(looks());
    const names = ["focus", "blur"] as const;
    for (const name of names) addEventListener(name, changed);
    document.addEventListener("visibilitychange", changed);
    return () => {
      for (const name of names) removeEventListener(name, changed);
      document.removeEventListener("visibilitychange", changed);
    };
  }, []);
  return attention;
}

/** True once `value` has been true for `ms` without a break: what passes quickly is not shown. */
export function useSustained(value: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!value) return setLasting(false);
    const timer = setTimeout(() => setLasting(true), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value && lasting;
}

/** The newest value, for handlers that are made once. */
export function useLatest<T>(value: T): { readonly current: T } {
  const ref = useRef(value);
  ref.current = value;
  return ref;
}

/** True while the browser believes that there is a network. */
export function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const changed = (): void => setOnline(navigator.onLine);
    addEventListener("online", changed);
    addEventListener("offline", changed);
    return () => {
      removeEventListener("online", changed);
      removeEventListener("offline", changed);
    };
  }, []);
  return online;
}

/** Makes the field as high as its text, up to the stylesheet's limit. */
export function useAutoHeight(box: RefObject<HTMLTextAreaElement>, draft: string): void {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`;
  }, [box, draft]);
}
