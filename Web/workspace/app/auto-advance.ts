import { useEffect, useState } from "react";
import { AutoAdvance, nextOfMine } from "../../client/agent/auto-advance";
import { belongs } from "../../client/agent/inbox";
import { useSession, useViewer } from "./session-context";
import { focusAlong } from "../ui/focus";
import { go, type Route } from "./route";
import { toast } from "../ui/toast";
import { words } from "../i18n/contact-centre-words";

/** Once a conversation of mine is closed, the next one of mine is opened in its place, unless I look at something else by then. */
export function useNext(route: Route): void {
  const state = useSession();
  const looker = useViewer();
  const [closing] = useState(() => new AutoAdvance());
  useEffect(() => {
    const { page, tab, c } = route;
    const closed = closing.done(state);
    if (page !== "inbox" || c === undefined || !closed.includes(c)) return;
    const next = nextOfMine(state.inbox, looker, Date.now(), c);
    toast(next === undefined ? words.next.none : words.next.is(next.who));
    if (next !== undefined) focusAlong(next.c);
    go({ tab: tab !== "search" && (next === undefined || belongs(next, tab, looker)) ? tab : "mine", c: next?.c, card: false });
  }, [state, looker, route, closing]);
}
