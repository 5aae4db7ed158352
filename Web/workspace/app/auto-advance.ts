import { useEffect, useState } from "react";
import { AutoAdvance, nextOfMine } from "../../client/agent/auto-advance";
import { belongs } from "../../client/agent/inbox";
import { useSessionState, useViewer, useWorkspace } from "./session-context";
import { go, type Route } from "./route";
import { useToast } from "./page-context";
import { texts } from "../i18n/texts";

/** Opens the person's next conversation when the open one is closed, unless they have navigated elsewhere. */
export function useAutoAdvance(route: Route): void {
  const state = useSessionState();
  const looker = useViewer();
  const { focus } = useWorkspace().ui;
  const toast = useToast();
  const [closing] = useState(() => new AutoAdvance());
  useEffect(() => {
    const { page, tab, c } = route;
    const closed = closing.done(state);
    if (page !== "inbox" || c === undefined || !closed.includes(c)) return;
    const next = nextOfMine(state.inbox, looker, Date.now(), c);
    toast(next === undefined ? texts.next.none : texts.next.is({ who: next.who }));
    if (next !== undefined) focus.into(next.c);
    go({
      tab: tab !== "search" && (next === undefined || belongs(next, tab, looker)) ? tab : "mine",
      c: next?.c,
      card: false,
    });
  }, [state, looker, route, closing, focus, toast]);
}
