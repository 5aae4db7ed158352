import { useEffect } from "react";
import { nextOf } from "../../../client/agent/inbox";
import { type ConversationPermissions, may } from "../../../client/agent/permissions";
import type { InboxRow } from "../../../client/conversation/events";
import { closeConversation, permissionsNow, takeOver } from "../../actions/dialog-state";
import { useReturnToQueue } from "../../actions/commands";
import { copyTranscript } from "../../conversation/copy-transcript";
import { changeSpeed, playUnplayed, togglePlaying } from "../../conversation/voice/voice";
import { moveInList } from "../../inbox/list-keys";
import { useOffers } from "../../offers/current-offers";
import { useLatest } from "../../ui/hooks";
import { type Page, usePage } from "../page-context";
import { go, type Route } from "../route";
import { useViewer, useWorkspace, type WorkspaceContext } from "../session-context";
import { actionFor, listFor, type ShortcutAction } from "./keymap";

/** How long the first key of `g w` waits for the second. */
const SEQUENCE_MS = 1200;

/** What the shortcuts need of the page. */
export interface KeyActions {
  readonly route: Route;
  readonly toggleCard: () => void;
  readonly leave: () => void;
}

interface ShortcutContext extends KeyActions {
  readonly page: Page;
  readonly workspace: WorkspaceContext;
  readonly offer: InboxRow | undefined;
  readonly next: () => string | undefined;
  readonly returnToQueue: (c: string, route: Route) => void;
}

/** Listens for the keyboard shortcuts of the whole page. */
export function useShortcuts(actions: KeyActions): void {
  const page = usePage();
  const workspace = useWorkspace();
  const viewer = useViewer();
  const offer = useOffers()[0];
  const returnToQueue = useReturnToQueue();
  const next = (): string | undefined =>
    nextOf(workspace.session.store.get().inbox, viewer, Date.now(), actions.route.c);
  const latest = useLatest<ShortcutContext>({ ...actions, page, workspace, offer, next, returnToQueue });
  useEffect(() => {
    // Event times count from the page's start: begin far enough back that an early first key starts no sequence.
    let began = -SEQUENCE_MS;
    const pressed = (event: KeyboardEvent): void => {
      const sequence = event.timeStamp - began < SEQUENCE_MS;
      began = -SEQUENCE_MS;
      if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]") !== null) return;
      const single = isSingleKey(event, page.preferences.get().keys);
      if (event.key === "g" && single && !sequence) began = event.timeStamp;
      if (handle(event, single, sequence, latest.current)) event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [latest, page]);
}

/** Runs the shortcut of a key press. False where the key means nothing here. */
function handle(event: KeyboardEvent, single: boolean, sequence: boolean, context: ShortcutContext): boolean {
  const list = sequence && single ? listFor(event.key) : undefined;
  if (list !== undefined) {
    const shown = list !== "search" || may(context.workspace.identity, "history.search");
    return runIf(shown, () => goToList(list, context.route));
  }
  const action = actionFor(event, single);
  if (action === undefined) return false;
  if (action === "escape") return escape(event, context);
  if (action === "play") return !isControl(event.target) && togglePlaying();
  return runGlobal(action, context) ?? runOnConversation(action, context);
}

const isOnline = (session: WorkspaceContext["session"]): boolean => session.store.get().link === "online";

function goToList(tab: Route["tab"], route: Route): void {
  go({ tab, c: tab === "search" ? undefined : route.c, card: false });
  requestAnimationFrame(() => document.getElementById(tab === "search" ? "search" : `tab-${tab}`)?.focus());
}

/** Runs an action that needs no open conversation. `undefined`: it is not one of these. */
function runGlobal(action: ShortcutAction, context: ShortcutContext): boolean | undefined {
  const { route, offer, workspace: { identity, session, ui } } = context;
  switch (action) {
    case "down":
      return run(() => moveInList(1));
    case "up":
      return run(() => moveInList(-1));
    case "sheet":
      return run(() => ui.dialogs.showShortcuts(true));
    case "status":
      return runIf(may(identity, "conversations.answer"), () => ui.dialogs.showPresence(true));
    case "logout":
      return run(context.leave);
    case "unplayed":
      return playUnplayed();
    case "catchUp":
      return ui.catchUp.toggle();
    case "slower":
      return changeSpeed(-1);
    case "faster":
      return changeSpeed(1);
    case "record":
      return ui.recorderShortcuts.run("next");
    case "stop":
      return ui.recorderShortcuts.run("stop");
    case "accept":
      return offer !== undefined && isOnline(session) && run(() => ui.accepted.accept(session, offer.c));
    case "decline":
      return offer !== undefined && run(() => session.ask(offer.c, { decline: {} }));
    case "undo":
      return context.page.toasts.act();
    case "next":
      return run(() => goNext(context));
    case "deselect":
      return route.c !== undefined && run(() => go({ ...route, c: undefined, card: false }));
    default:
      return undefined;
  }
}

/** Runs an action on the open conversation, where the person may do it. */
function runOnConversation(action: ShortcutAction, context: ShortcutContext): boolean {
  const { route, workspace } = context;
  const { c } = route;
  if (c === undefined) return false;
  const { session, ui: { dialogs } } = workspace;
  const now = permissionsNow(workspace, c);
  switch (action) {
    case "take":
      return runIf(now.mayTake, () => session.take(c));
    case "close":
      return runIf(now.mayClose, () => closeConversation(workspace, c));
    case "queue":
      return runIf(now.mayTransfer && now.status === "open", () => context.returnToQueue(c, route));
    case "transfer":
      return runIf(now.mayTransfer, () => dialogs.open("transfer", c));
    case "callback":
      return runIf(now.mine && now.mayAnswer, () => dialogs.open("callback", c));
    case "takeOver":
      return runIf(now.mayTakeOver, () => takeOver(workspace, c));
    case "settle":
      return runIf(now.maySettle, () => session.ask(c, { settle: {} }));
    case "leave":
      return runIf(now.joined, () => session.ask(c, { leave: {} }));
    case "urgent":
      return runIf(now.mayAnswer && now.status !== "closed", () => toggleUrgent(context, c));
    case "why":
      return runIf(now.status !== "closed", () => dialogs.open("why", c));
    default:
      return runInView(action, context, c, now);
  }
}

/** Runs an action that only changes what is shown of the open conversation. */
function runInView(
  action: ShortcutAction,
  context: ShortcutContext,
  c: string,
  { mayAnswer, maySay, mayNote }: ConversationPermissions,
): boolean {
  const { dialogs } = context.workspace.ui;
  switch (action) {
    case "card":
      return run(context.toggleCard);
    case "copy":
      return run(() => copyTranscript(context.page, c));
    case "note":
      return runIf(mayNote, () => dialogs.setNoteMode(dialogs.isNoteMode(c) ? undefined : c));
    case "reply":
      return runIf(maySay || mayNote, () => dialogs.setNoteMode(undefined));
    case "tags":
      return runIf(mayAnswer, () => focusTags(context));
    case "canned":
      return runIf(maySay, () => startCannedReply(context, c));
    default:
      return false;
  }
}

function toggleUrgent({ workspace: { session } }: ShortcutContext, c: string): void {
  session.ask(c, { urgent: session.store.get().inbox.rows.get(c)?.routing?.urgent !== true });
}

function goNext({ next, route }: ShortcutContext): void {
  const c = next();
  if (c !== undefined) go({ tab: route.tab === "search" ? "mine" : route.tab, c, card: false });
}

/** Opens the list of canned replies, unless a reply has already been started. */
function startCannedReply({ workspace: { session, ui } }: ShortcutContext, c: string): void {
  ui.dialogs.setNoteMode(undefined);
  if ((session.store.get().drafts.get(c) ?? "") === "") session.draft(c, "/", false);
}

/** One step back: out of note mode, out of the text field, out of the card, out of the conversation. */
function escape(event: KeyboardEvent, { route, workspace: { ui } }: ShortcutContext): boolean {
  const { c } = route;
  const typing = isTyping(event.target);
  if (c !== undefined && typing && ui.dialogs.isNoteMode(c)) return run(() => ui.dialogs.setNoteMode(undefined));
  if (typing) return run(focusContent);
  if (route.card) return run(() => go({ ...route, card: false }));
  return c !== undefined && run(() => go({ ...route, c: undefined }));
}

function focusContent(): void {
  (document.getElementById("messages") ?? document.querySelector<HTMLElement>(".rows .row"))?.focus();
}

/** Focuses the field for tags; shows the card first where it is hidden. */
function focusTags({ toggleCard }: ShortcutContext): void {
  const field = (): HTMLElement | null => document.getElementById("tag");
  if (field() === null) toggleCard();
  requestAnimationFrame(() => field()?.focus());
}

/** A key without modifiers, pressed outside text fields by someone who uses single-key shortcuts. */
function isSingleKey(event: KeyboardEvent, enabled: boolean): boolean {
  return enabled && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
}

const TEXT_FIELDS = "textarea, select, input:not([type=radio], [type=checkbox])";

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TEXT_FIELDS));
}

/** The space bar already has a meaning here. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof Element &&
    target.closest("button, input, textarea, select, summary, earshot-audio") !== null;
}

function run(action: () => void): boolean {
  action();
  return true;
}

function runIf(allowed: boolean, action: () => void): boolean {
  if (allowed) action();
  return allowed;
}
