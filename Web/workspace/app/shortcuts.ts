import { useEffect } from "react";
import { nextOf } from "../../client/agent/inbox";
import { copyTranscript } from "../conversation/copy-transcript";
import { useViewer, usePlace, type Place } from "./session-context";
import { useLatest } from "../ui/hooks";
import { moveInList } from "../inbox/inbox";
import { actOf, placeOf, type Act } from "./keymap";
import { preferences } from "./preferences";
import { showStates } from "../offers/presence";
import { recordNext, stopRecording } from "../composer/recording";
import { accept, useRinging } from "../offers/offers";
import { go, type Route } from "./route";
import { finish, isNoting, noteAbout, openDialog, stanceNow, toQueue } from "../actions/dialog-state";
import { changeSpeed, playUnplayed, toggleCatchUp, togglePlaying } from "../conversation/voice";

/** How long the first key of `g w` waits for the second. */
const SEQUENCE_MS = 1200;

const sheetListeners = new Set<() => void>();

/** Opens the sheet of shortcuts, from wherever. */
export function showSheet(): void {
  for (const listener of sheetListeners) listener();
}

/** What the keys need of the page. */
export interface KeyActions {
  readonly route: Route;
  readonly openSheet: () => void;
  readonly toggleCard: () => void;
  readonly leave: () => void;
}

type Doing = KeyActions & Pick<Place, "desk" | "session" | "centre"> & { readonly ringing: string | undefined; readonly next: () => string | undefined };

/** Listens for the shortcuts of the whole page. */
export function useShortcuts(actions: KeyActions): void {
  const { desk, session, centre } = usePlace();
  const looker = useViewer();
  const ringing = useRinging()[0]?.c;
  const next = (): string | undefined => nextOf(desk.store.get().inbox, looker, Date.now(), actions.route.c);
  const latest = useLatest<Doing>({ ...actions, desk, session, centre, ringing, next });
  useEffect(() => {
    // Far enough away also for a page that is a moment old: events count from its beginning.
    let began = -SEQUENCE_MS;
    const open = (): void => latest.current.openSheet();
    const pressed = (event: KeyboardEvent): void => {
      const sequence = event.timeStamp - began < SEQUENCE_MS;
      began = -SEQUENCE_MS;
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

function handled(event: KeyboardEvent, doing: Doing, sequence: boolean): boolean {
  const plain = isPlain(event);
  const place = sequence && plain ? placeOf(event.key) : undefined;
  if (place !== undefined) return run(() => goToList(place, doing.route));
  const act = actOf(event, plain);
  if (act === undefined) return false;
  if (act === "escape") return escaped(event, doing);
  if (act === "play") return !isControl(event.target) && togglePlaying();
  return did(act, doing) ?? about(act, doing);
}

function goToList(tab: Route["tab"], route: Route): void {
  go({ tab, c: tab === "search" ? undefined : route.c, card: false });
  requestAnimationFrame(() => document.getElementById(tab === "search" ? "search" : `tab-${tab}`)?.focus());
}

/** What needs no open conversation. `undefined`: that is not one of these. */
function did(act: Act, doing: Doing): boolean | undefined {
  const { route, desk, ringing } = doing;
  switch (act) {
    case "down": return run(() => moveInList(1));
    case "up": return run(() => moveInList(-1));
    case "sheet": return run(doing.openSheet);
    case "status": return run(showStates);
    case "logout": return run(doing.leave);
    case "unplayed": return playUnplayed();
    case "catchUp": return toggleCatchUp();
    case "slower": return changeSpeed(-1);
    case "faster": return changeSpeed(1);
    case "record": return recordNext();
    case "stop": return stopRecording();
    case "accept": return ringing !== undefined && run(() => accept(desk, ringing));
    case "decline": return ringing !== undefined && run(() => desk.ask(ringing, { decline: {} }));
    case "next": return run(() => goNext(doing));
    case "deselect": return route.c !== undefined && run(() => go({ ...route, c: undefined, card: false }));
    default: return undefined;
  }
}

/** What is done with the open conversation; nothing where it makes no sense. */
function about(act: Act, doing: Doing): boolean {
  const { route, desk, centre } = doing;
  const { c } = route;
  if (c === undefined) return false;
  const stance = stanceNow(doing, c);
  const if_ = (may: boolean, run: () => void): boolean => {
    if (may) run();
    return may;
  };
  switch (act) {
    case "take": return if_(stance.status === "waiting", () => desk.take(c));
    case "close": return if_(stance.mayClose, () => finish(desk, centre, c));
    case "queue": return if_(stance.mayTransfer && stance.status === "open", () => toQueue(desk, c, route));
    case "transfer": return if_(stance.mayTransfer, () => openDialog("transfer", c));
    case "callback": return if_(stance.mine, () => openDialog("callback", c));
    case "takeOver": return if_(stance.mayTakeOver, () => desk.ask(c, { takeOver: {} }));
    case "leave": return if_(stance.joined, () => desk.ask(c, { leave: {} }));
    case "urgent": return if_(stance.status !== "closed", () => desk.ask(c, { urgent: desk.store.get().inbox.rows.get(c)?.routing?.urgent !== true }));
    case "why": return run(() => openDialog("why", c));
    case "card": return run(doing.toggleCard);
    case "copy": return copyTranscript(desk, c);
    case "note": return run(() => noteAbout(isNoting(c) ? undefined : c));
    case "reply": return run(() => noteAbout(undefined));
    case "tags": return run(() => writeTags(doing));
    case "canned": return run(() => { noteAbout(undefined); slash(doing, c); });
    default: return false;
  }
}

function goNext({ next, route }: Doing): void {
  const c = next();
  if (c !== undefined) go({ tab: route.tab === "search" ? "mine" : route.tab, c, card: false });
}

/** Begins a canned reply, unless something is being written. */
function slash({ desk }: Doing, c: string): void {
  if ((desk.store.get().drafts.get(c) ?? "") === "") desk.draft(c, "/", false);
}

/** One step back: out of the text, out of the card, out of the conversation. Never out of a text that is being composed. */
function escaped(event: KeyboardEvent, { route }: Doing): boolean {
  const { c } = route;
  if (c !== undefined && isTyping(event.target) && isNoting(c)) return run(() => noteAbout(undefined));
  if (isTyping(event.target)) return run(() => (document.getElementById("messages") ?? document.querySelector<HTMLElement>(".rows .row"))?.focus());
  if (route.card) return run(() => go({ ...route, card: false }));
  return c !== undefined && run(() => go({ ...route, c: undefined }));
}

/** Goes to the place where tags are written, and shows it first where it is hidden. */
function writeTags({ toggleCard }: Doing): void {
  const field = (): HTMLElement | null => document.getElementById("tag");
  if (field() === null) toggleCard();
  requestAnimationFrame(() => field()?.focus());
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
