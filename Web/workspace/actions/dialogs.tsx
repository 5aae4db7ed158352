import { type ReactElement, useEffect } from "react";
import type { PartLoader } from "../app/lazy-parts/lazy-part";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { useSessionState, useWorkspace } from "../app/session-context";
import { useDialogState } from "./dialog-state";

const dialogs = {
  transfer: onDemand("TransferDialog"),
  callback: onDemand("CallbackDialog"),
  close: onDemand("CloseDialog"),
  closeQuietly: onDemand("QuietCloseDialog"),
  takeOver: onDemand("TakeOverDialog"),
  why: onDemand("RoutingDetailsDialog"),
};

/** Fetches all dialogs before they are needed. */
export function prefetchDialogs(parts: PartLoader): void {
  for (const dialog of Object.values(dialogs)) dialog.prefetch(parts);
}

/** The dialog about a conversation that is open now, if any. */
export function Dialogs(): ReactElement | null {
  const { dialogs: state } = useWorkspace().ui;
  const { dialog } = useDialogState();
  useRequiredWrapUp();
  if (dialog === undefined) return null;
  const Part = dialogs[dialog.name];
  return <Part key={`${dialog.name} ${dialog.c}`} c={dialog.c} close={state.close} />;
}

/** Opens the wrap-up dialog when the server refuses to close a conversation without a wrap-up code. */
function useRequiredWrapUp(): void {
  const { session, ui } = useWorkspace();
  const { problems } = useSessionState();
  const c = [...problems].find(([, { code }]) => code === "disposition_required")?.[0];
  useEffect(() => {
    if (c === undefined) return;
    session.dismiss(c);
    ui.dialogs.open("close", c);
  }, [c, session, ui]);
}
