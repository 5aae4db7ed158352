import { AgentSession } from "../../client/agent/agent-session";
import { currentSession, type Session, ticket } from "../../client/agent/sign-in";
import { browserStore, openSocket, systemClock } from "../../client/core/browser";
import { SignedOut } from "../../client/core/connection";

/** The browser's `fetch`, in the shape that the client takes. */
export const request = (path: string, init?: RequestInit): Promise<Response> => fetch(path, init);

/** Connects a signed-in person. `csrf` is asked at every connection, because signing in again changes its value. */
export function newSession(identity: Session, csrf: () => string, renewed: (identity: Session) => void): AgentSession {
  return new AgentSession({
    account: identity.account.id,
    me: identity.agent.id,
    storage: browserStore(),
    clock: systemClock,
    random: Math.random,
    open: openSocket,
    settings: identity.settings,
    ticket: () => newTicket(identity.agent.id, csrf, renewed),
  });
}

/**
 * A ticket that opens a socket. When another tab has signed in again, our CSRF value is outdated: the server's session
 * tells the new one, if it still belongs to the same person.
 */
async function newTicket(me: string, csrf: () => string, renewed: (identity: Session) => void): Promise<string> {
  const answer = await ticket(request, csrf());
  if (answer.ok) return answer.value;
  if (answer.refusal.code !== "csrf") throw ticketError(answer.refusal.code);
  const current = await currentSession(request);
  if (!current.ok) throw ticketError(current.refusal.code);
  if (current.value.agent.id !== me) throw new SignedOut();
  renewed(current.value);
  const again = await ticket(request, current.value.csrf);
  if (again.ok) return again.value;
  throw ticketError(again.refusal.code);
}

/** A brand that began to require a second factor ends the sockets of people without one: they sign in again. */
const ENDED = ["not_signed_in", "second_factor_setup_required"];

function ticketError(code: string): Error {
  return ENDED.includes(code) ? new SignedOut() : new Error(code);
}
