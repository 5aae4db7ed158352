import { useMemo, useSyncExternalStore } from "react";
import type { AgentSession } from "../../client/agent/agent-session";
import type { ContactCentreStore } from "../../client/agent/contact-centre";
import { openEnds } from "../../client/agent/closing/open-ends";
import { type ConversationPermissions, may, permissionsFor } from "../../client/agent/permissions";
import { Store } from "../../client/core/store";
import { useSessionState, useWorkspace, type WorkspaceContext } from "../app/session-context";
import { texts } from "../i18n/texts";

/** A dialog about one conversation. */
export type DialogName = "transfer" | "callback" | "close" | "closeQuietly" | "takeOver" | "why";

interface State {
  readonly dialog: { readonly name: DialogName; readonly c: string } | undefined;
  /** The conversation in which a private note is being written instead of a reply. */
  readonly noteMode: string | undefined;
  readonly shortcutSheet: boolean;
  readonly presenceMenu: boolean;
  /** The call to which a consumer is about to be invited. */
  readonly invitation: { readonly c: string; readonly kind: "voice" | "video" } | undefined;
}

/** Which dialog or menu is open, and whether the composer writes a note. One dialog at a time, for one conversation. */
export class DialogState {
  readonly store = new Store<State>({
    dialog: undefined,
    noteMode: undefined,
    shortcutSheet: false,
    presenceMenu: false,
    invitation: undefined,
  });
  #composerWantsFocus = false;

  /** Opens a dialog about the conversation `c`. */
  readonly open = (name: DialogName, c: string): void => this.store.set({ dialog: { name, c } });

  /** Closes the open dialog about a conversation. */
  readonly close = (): void => this.store.set({ dialog: undefined });

  /** Closes the dialog called `name` about the conversation `c`, if it is open. */
  closeFor(name: DialogName, c: string): void {
    const { dialog } = this.store.get();
    if (dialog?.name === name && dialog.c === c) this.close();
  }

  /** Shows or hides the overview of keyboard shortcuts. */
  readonly showShortcuts = (shown: boolean): void => this.store.set({ shortcutSheet: shown });

  /** Opens or closes the menu in which a person sets their presence. */
  readonly showPresence = (shown: boolean): void => this.store.set({ presenceMenu: shown });

  /** Invites to a call; `undefined`: the invitation was sent, or given up. */
  readonly invite = (invitation: State["invitation"]): void => this.store.set({ invitation });

  /** Writes a private note in `c`; `undefined`: a reply again. The text field then gets the focus. */
  setNoteMode(c: string | undefined): void {
    this.#composerWantsFocus = this.store.get().noteMode !== c;
    this.store.set({ noteMode: c });
    if (!this.#composerWantsFocus) document.querySelector<HTMLElement>(".reply")?.focus();
  }

  /** True while a private note is being written in `c`. */
  isNoteMode(c: string): boolean {
    return this.store.get().noteMode === c;
  }

  /** True once after the mode changed: the text field of the new mode takes the focus. */
  takeComposerFocus(): boolean {
    const wants = this.#composerWantsFocus;
    this.#composerWantsFocus = false;
    return wants;
  }
}

/** What is open now; the component renders again when it changes. */
export function useDialogState(): State {
  const { store } = useWorkspace().ui.dialogs;
  return useSyncExternalStore(store.subscribe, store.get);
}

/** What the signed-in person may do in the conversation `c` now. */
export function permissionsNow(
  { session, identity }: Pick<WorkspaceContext, "session" | "identity">,
  c: string,
): ConversationPermissions {
  const { threads, inbox } = session.store.get();
  return permissionsFor(threads.get(c), inbox.rows.get(c), identity.agent, texts.problem.somebody);
}

/** What the signed-in person may do in the conversation `c`; the component renders again when it changes. */
export function usePermissions(c: string): ConversationPermissions {
  const { identity } = useWorkspace();
  const { threads, inbox } = useSessionState();
  const [thread, row] = [threads.get(c), inbox.rows.get(c)];
  return useMemo(() => permissionsFor(thread, row, identity.agent, texts.problem.somebody), [thread, row, identity]);
}

type Closing = Pick<WorkspaceContext, "identity" | "session" | "centre" | "ui">;

/**
 * Closes the conversation. First warns of what that would leave undone, and asks who may answer for the wrap-up code
 * where the skill wants one.
 */
export function closeConversation(workspace: Closing, c: string, quietly = false): void {
  const { session, ui } = workspace;
  const asks = wantsWrapUp(workspace, c) || openEnds(session.store.get().inbox.rows.get(c)) !== undefined;
  if (asks) ui.dialogs.open(quietly ? "closeQuietly" : "close", c);
  else finishConversation(session, c, quietly);
}

/** Closes the conversation without asking anything. */
export function finishConversation(session: AgentSession, c: string, quietly: boolean): void {
  if (quietly) session.ask(c, { closeQuietly: {} });
  else session.finish(c);
}

/** Whether the skill wants a wrap-up code that the person may choose, and none was chosen. */
export function wantsWrapUp({ identity, session, centre }: Omit<Closing, "ui">, c: string): boolean {
  return may(identity, "conversations.answer") && asksForWrapUp(session, centre, c) && !hasWrapUp(session, c);
}

/** Answers a colleague's conversation from now on; first asks where that colleague is writing. */
export function takeOver({ session, ui }: Pick<WorkspaceContext, "session" | "ui">, c: string): void {
  if (session.store.get().threads.get(c)?.typing.some((by) => by !== 1)) ui.dialogs.open("takeOver", c);
  else session.ask(c, { takeOver: {} });
}

function asksForWrapUp(session: AgentSession, { store }: ContactCentreStore, c: string): boolean {
  const skill = session.store.get().inbox.rows.get(c)?.routing?.skill;
  const asks = store.get().centre?.skills.find(({ id }) => id === skill)?.disposition ?? "off";
  return asks !== "off";
}

/** A wrap-up code was chosen since the conversation was last opened. */
const hasWrapUp = (session: AgentSession, c: string): boolean =>
  session.store.get().threads.get(c)?.recorded.disposition !== undefined;
