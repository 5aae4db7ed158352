/** Which keys mean what. Pure: who does it is shortcuts.ts. */

/** The twelve that work everywhere, also while one writes: Alt + Shift and a letter. */
export const CHORDS = {
  KeyM: "next",
  KeyU: "deselect",
  KeyY: "copy",
  KeyQ: "queue",
  KeyR: "transfer",
  KeyW: "close",
  KeyN: "accept",
  KeyO: "takeOver",
  KeyI: "leave",
  KeyL: "logout",
  KeyS: "status",
  KeyP: "note",
} as const;

/** Keys by themselves, for people who want them; never while one writes. */
export const KEYS = {
  j: "down",
  k: "up",
  t: "take",
  e: "close",
  r: "reply",
  v: "record",
  s: "stop",
  i: "card",
  "?": "sheet",
  n: "unplayed",
  c: "catchUp",
  ",": "slower",
  ".": "faster",
  " ": "play",
  a: "accept",
  d: "decline",
  b: "callback",
  m: "note",
  x: "transfer",
  w: "why",
  u: "urgent",
  l: "tags",
  "/": "canned",
} as const;

/** After `g`: where to go. */
export const LISTS = {
  w: "waiting",
  m: "mine",
  a: "all",
  q: "queue",
  c: "closed",
  n: "mentions",
  s: "search",
} as const;

export type ShortcutAction = (typeof CHORDS)[keyof typeof CHORDS] | (typeof KEYS)[keyof typeof KEYS] | "escape";

export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** What a key means. `plain`: the person wants single keys, and does not write. */
export function actionFor(event: KeyPress, plain: boolean): ShortcutAction | undefined {
  if (event.ctrlKey || event.metaKey) return undefined;
  if (event.altKey) return event.shiftKey ? own(CHORDS, event.code) : undefined;
  if (event.key === "Escape") return "escape";
  return plain ? own(KEYS, event.key) : undefined;
}

/** Where the second key of `g q` leads. */
export function listFor(key: string): (typeof LISTS)[keyof typeof LISTS] | undefined {
  return own(LISTS, key);
}

function own<T extends object>(table: T, name: string): T[keyof T] | undefined {
  return Object.hasOwn(table, name) ? table[name as keyof T] : undefined;
}
