/** The meaning of keys. Pure; shortcuts.ts runs the actions. */

/** Alt + Shift and a letter: these work everywhere, also in text fields. */
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

/** Single keys, for people who have them switched on; not in text fields. */
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
  y: "settle",
  z: "undo",
  "/": "canned",
} as const;

/** The second key after `g`: the list to open. */
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

/** The action of a key. `plain`: single keys are switched on and no text field has the focus. */
export function actionFor(event: KeyPress, plain: boolean): ShortcutAction | undefined {
  if (event.ctrlKey || event.metaKey) return undefined;
  if (event.altKey) return event.shiftKey ? own(CHORDS, event.code) : undefined;
  if (event.key === "Escape") return "escape";
  return plain ? own(KEYS, event.key) : undefined;
}

/** The list that the second key of `g q` opens. */
export function listFor(key: string): (typeof LISTS)[keyof typeof LISTS] | undefined {
  return own(LISTS, key);
}

function own<T extends object>(table: T, name: string): T[keyof T] | undefined {
  return Object.hasOwn(table, name) ? table[name as keyof T] : undefined;
}
