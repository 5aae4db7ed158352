import { useEffect, useState } from "react";
import { AutoAdvance, nextOfMine } from "../../client/agent/closing/auto-advance";
import { belongs } from "../../client/agent/inbox";
import { useSessionState, useViewer, useWorkspace } from "./session-context";
import { go, type Route } from "./route";
import { useToast } from "./page-context";
import { texts } from "../i18n/texts";
import type { ToastAction } from "../ui/toast";

/**
 * Opens the person's next conversation when the open one is closed, unless they have navigated elsewhere. Every close
 * can be taken back for a while.
 */
export function useAutoAdvance(route: Route): void {
  const state = useSessionState();
  const looker = useViewer();
  const { session, ui: { focus } } = useWorkspace();
  const toast = useToast();
  const [closing] = useState(() => new AutoAdvance());
  useEffect(() => {
    const { page, tab, c } = route;
    const closed = closing.done(state);
    const undo = (closed: string): ToastAction => ({
      label: texts.undo,
      run: () => {
        session.ask(closed, { reopen: {} });
        go({ tab: "mine", c: closed, card: false });
      },
    });
    for (const one of closed) if (one.c !== c || !one.own) toast(texts.next.closed, false, undo(one.c));
    if (page !== "inbox" || c === undefined || !closed.some((one) => one.c === c && one.own)) return;
    const next = nextOfMine(state.inbox, looker, Date.now(), c);
    toast(next === undefined ? texts.next.none : texts.next.is({ who: next.who }), false, undo(c));
    if (next !== undefined) focus.into(next.c);
    go({
      tab: tab !== "search" && (next === undefined || belongs(next, tab, looker)) ? tab : "mine",
      c: next?.c,
      card: false,
    });
  }, [state, looker, route, closing, focus, toast, session]);
}
