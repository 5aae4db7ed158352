import { useEffect } from "react";
import type { AgentDesk } from "../../client/agent-desk";
import { useLatest } from "./hooks";
import { moveInList } from "./inbox";
import { preferences } from "./preferences";
import { recordNext, stopRecording } from "./recording";
import { go, type Route } from "./route";
import { changeSpeed, playUnheard, toggleCatchUp, togglePlaying } from "./voice";

/** How long the first key of `g w` waits for the second. */
const SEQUENCE_MS = 1200;

const sheetListeners = new Set<() => void>();

/** Opens the sheet of shortcuts, from wherever. */
export function showSheet(): void {
  for (const listener of sheetListeners) listener();
}

/** What the keys do. */
export interface KeyActions {
  route: Route;
  desk: AgentDesk;
  openSheet: () => void;
  toggleCard: () => void;
  /** Takes the open conversation, where it waits. */
  take: () => void;
  /** Closes the open conversation, where it is mine. */
  finish: () => void;
}

/** Listens for the shortcuts of the whole page. */
export function useShortcuts(actions: KeyActions): void {
  const latest = useLatest(actions);
  useEffect(() => {
    let began = 0;
    const open = (): void => latest.current.openSheet();
    const pressed = (event: KeyboardEvent): void => {
      const sequence = event.timeStamp - began < SEQUENCE_MS;
      began = 0;
      if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]") !== null) return;
      if (event.key === "g" && isPlain(event) && !sequence) began = event.timeStamp;
      if (handled(event, latest.current, sequence)) event.preventDefault();
    };
    addEventListener("keydown", pressed);
    sheetListeners.add(open);
    return () => {
      removeEventListener("keydown", pressed);
      sheetListeners.delete(open);
    };
  }, [latest]);
}

function handled(event: KeyboardEvent, actions: KeyActions, sequence: boolean): boolean {
  if (event.altKey && event.shiftKey && event.code === "KeyW") return run(actions.finish);
  if (event.key === "Escape") return escaped(event, actions);
  if (!isPlain(event)) return false;
  const tab = sequence ? ({ w: "waiting", m: "mine", a: "all" } as const)[event.key] : undefined;
  if (tab !== undefined) return run(() => { go({ ...actions.route, tab }); document.getElementById(`tab-${tab}`)?.focus(); });
  switch (event.key) {
    case "j": return run(() => moveInList(1));
    case "k": return run(() => moveInList(-1));
    case "t": return run(actions.take);
    case "e": return run(actions.finish);
    case "r": return focusReply();
    case "v": return recordNext();
    case "s": return stopRecording();
    case "i": return run(actions.toggleCard);
    case "?": return run(actions.openSheet);
    case "n": return playUnheard();
    case "c": return toggleCatchUp();
    case ",": return changeSpeed(-1);
    case ".": return changeSpeed(1);
    case " ": return !isControl(event.target) && togglePlaying();
    default: return false;
  }
}

/** One step back: out of the text, out of the card, out of the conversation. Never out of a text that is being composed. */
function escaped(event: KeyboardEvent, { route }: KeyActions): boolean {
  const { c } = route;
  if (isTyping(event.target)) return run(() => document.getElementById("messages")?.focus());
  if (route.card) return run(() => go({ ...route, card: false }));
  return c !== undefined && run(() => go({ ...route, c: undefined }));
}

function focusReply(): boolean {
  const reply = document.querySelector<HTMLTextAreaElement>(".reply");
  reply?.focus();
  return reply !== null;
}

/** A key by itself, pressed outside of every text, by someone who wants single keys. */
function isPlain(event: KeyboardEvent): boolean {
  return preferences().keys && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("textarea, select, input:not([type=radio], [type=checkbox])"));
}

/** The space bar already means something here. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, input, textarea, select, summary, earshot-audio") !== null;
}

function run(action: () => void): boolean {
  action();
  return true;
}
