import { useEffect, type ReactElement } from "react";
import { useDesk, usePlace } from "./desk";
import { later, parts } from "./later";
import { closeDialog, openDialog, useTable } from "./verbs";

const dialogs = {
  transfer: later("dialogs", async () => ({ default: (await parts()).Transfer })),
  promise: later("dialogs", async () => ({ default: (await parts()).Promise_ })),
  close: later("dialogs", async () => ({ default: (await parts()).WrapUp })),
  why: later("dialogs", async () => ({ default: (await parts()).Why })),
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
  const { problems } = useDesk();
  const c = [...problems].find(([, { code }]) => code === "disposition_required")?.[0];
  useEffect(() => {
    if (c === undefined) return;
    desk.dismiss(c);
    openDialog("close", c);
  }, [c, desk]);
}
