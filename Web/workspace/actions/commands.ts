import { useToast } from "../app/page-context";
import { go, type Route } from "../app/route";
import { useWorkspace } from "../app/session-context";
import { texts } from "../i18n/texts";

/** A function that returns a conversation to the queue and leaves it. */
export function useReturnToQueue(): (c: string, route: Route) => void {
  const { session } = useWorkspace();
  const toast = useToast();
  return (c, route) => {
    session.ask(c, { transfer: {} });
    toast(texts.actions.returned);
    if (route.c === c) go({ ...route, c: undefined, card: false });
  };
}
