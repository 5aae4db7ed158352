import type { AgentSession } from "../../client/agent/agent-session";
import { isOfferedTo } from "../../client/agent/inbox";
import { may } from "../../client/agent/permissions";
import type { InboxRow } from "../../client/conversation/events";
import { useTick } from "../app/clock";
import { go } from "../app/route";
import { useSessionState, useWorkspace } from "../app/session-context";
import type { FocusRequest } from "../ui/focus";

/** The current offers to the person, who may answer: those that expire first on top. */
export function useOffers(): readonly InboxRow[] {
  const { inbox, me } = useSessionState();
  const { identity } = useWorkspace();
  const now = useTick();
  if (!may(identity, "conversations.answer")) return [];
  return [...inbox.rows.values()].filter((row) => isOfferedTo(row, me, now)).sort((a, b) =>
    (a.routing?.offer?.until ?? 0) - (b.routing?.offer?.until ?? 0)
  );
}

/** The offers that were accepted on this page and not yet confirmed: someone who was too late is told. */
export class AcceptedOffers {
  readonly #conversations = new Set<string>();

  constructor(private readonly focus: FocusRequest) {}

  /** Accepts an offer and opens its conversation, ready for a reply. */
  accept(session: AgentSession, c: string): void {
    this.#conversations.add(c);
    session.take(c);
    this.focus.toReply(c);
    go({ tab: "mine", c, card: false });
  }

  /** The unconfirmed offers. */
  all(): readonly string[] {
    return [...this.#conversations];
  }

  /** Forgets an offer, whose outcome is known. */
  settle(c: string): void {
    this.#conversations.delete(c);
  }
}
