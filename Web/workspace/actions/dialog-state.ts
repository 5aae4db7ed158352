import { useMemo, useSyncExternalStore } from "react";
import type { AgentSession } from "../../client/agent/agent-session";
import type { ContactCentreStore } from "../../client/agent/contact-centre";
import type { Session } from "../../client/agent/sign-in";
import { permissionsFor, type ConversationPermissions } from "../../client/agent/permissions";
import { Store } from "../../client/core/store";
import { useSession, usePlace, type Place } from "../app/session-context";
import { go, type Route } from "../app/route";
import { strings } from "../i18n/strings";
import { toast } from "../ui/toast";
import { words } from "../i18n/contact-centre-words";

/** A dialog about one conversation. */
export type DialogName = "transfer" | "callback" | "close" | "why";

/** What the open conversation's dialog and composer do. One at a time, for one conversation. */
interface Table {
  readonly dialog: { readonly name: DialogName; readonly c: string } | undefined;
  /** Where a private note is being written instead of a reply. */
  readonly noting: string | undefined;
}

const table = new Store<Table>({ dialog: undefined, noting: undefined });

export function useTable(): Table {
  return useSyncExternalStore(table.subscribe, table.get);
}

export function openDialog(name: DialogName, c: string): void {
  table.set({ dialog: { name, c } });
}

export function closeDialog(): void {
  table.set({ dialog: undefined });
}

/** Writes a private note about `c` from here on; `undefined`: replies again. The place where one writes gets the focus before the next key. */
export function noteAbout(c: string | undefined): void {
  wantsFocus = table.get().noting !== c;
  table.set({ noting: c });
  if (!wantsFocus) document.querySelector<HTMLElement>(".reply")?.focus();
}

let wantsFocus = false;

/** True once after the mode changed: whoever shows the new one takes the focus. */
export function takeFocus(): boolean {
  const wants = wantsFocus;
  wantsFocus = false;
  return wants;
}

export function isNoting(c: string): boolean {
  return table.get().noting === c;
}

/** How I stand to the conversation `c` now. */
export function stanceNow({ desk, session }: Pick<Place, "desk" | "session">, c: string): ConversationPermissions {
  const state = desk.store.get();
  return permissionsFor(state.threads.get(c), state.inbox.rows.get(c), self(session), strings.problem.somebody);
}

export function useStance(c: string): ConversationPermissions {
  const place = usePlace();
  const { threads, inbox } = useSession();
  const [thread, row] = [threads.get(c), inbox.rows.get(c)];
  return useMemo(() => permissionsFor(thread, row, self(place.session), strings.problem.somebody), [thread, row, place.session]);
}

function self({ agent }: Session): Parameters<typeof permissionsFor>[2] {
  return { me: agent.id, manager: agent.role === "manager", closesOthers: agent.permissions.includes("conversations.closeOthers") };
}

/** Closes the conversation, or asks first what it was about where the brand wants to know. */
export function finish(desk: AgentSession, { store }: ContactCentreStore, c: string): void {
  const { centre } = store.get();
  const skill = desk.store.get().inbox.rows.get(c)?.routing?.skill;
  const asks = centre?.skills.find(({ id }) => id === skill)?.disposition ?? "off";
  if (asks === "off" || isDisposed(desk, c)) desk.finish(c);
  else openDialog("close", c);
}

/** What it was about was said since it was opened last. */
function isDisposed(desk: AgentSession, c: string): boolean {
  const events = desk.store.get().threads.get(c)?.timeline.events ?? [];
  for (let i = events.length - 1; i >= 0; i--) {
    const kind = events[i]?.content.kind;
    if (kind === "disposed") return true;
    if (kind === "resumed" || kind === "closed") return false;
  }
  return false;
}

/** Puts the conversation back into the queue, and leaves it. */
export function toQueue(desk: AgentSession, c: string, route: Route): void {
  desk.ask(c, { transfer: {} });
  toast(words.actions.returned);
  if (route.c === c) go({ ...route, c: undefined, card: false });
}
