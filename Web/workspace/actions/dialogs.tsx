import { useEffect, type ReactElement } from "react";
import { useSession, usePlace } from "../app/session-context";
import { later, parts } from "../app/lazy-part";
import { closeDialog, openDialog, useTable } from "./dialog-state";

const dialogs = {
  transfer: later("actions", async () => ({ default: (await parts()).Transfer })),
  callback: later("actions", async () => ({ default: (await parts()).Promise_ })),
  close: later("actions", async () => ({ default: (await parts()).WrapUp })),
  why: later("actions", async () => ({ default: (await parts()).Why })),
};

/** Fetches all dialogs before they are wanted. */
export function prepareDialogs(): void {
  for (const part of Object.values(dialogs)) part.prepare();
}

/** The dialog about a conversation that is open now, if one is. */
export function Dialogs(): ReactElement | null {
  const { dialog } = useTable();
  useAsked();
  if (dialog === undefined) return null;
  const Part = dialogs[dialog.name];
  return <Part key={`${dialog.name} ${dialog.c}`} c={dialog.c} close={closeDialog} />;
}

/** The server wants to know what it was about before it closes it: then it is asked. */
function useAsked(): void {
  const { desk } = usePlace();
  const { problems } = useSession();
  const c = [...problems].find(([, { code }]) => code === "disposition_required")?.[0];
  useEffect(() => {
    if (c === undefined) return;
    desk.dismiss(c);
    openDialog("close", c);
  }, [c, desk]);
}
