import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import { AgentSession } from "../../client/agent/agent-session";
import { currentSession, ticket, type Session } from "../../client/agent/sign-in";
import { ContactCentreStore, type ContactCentreState } from "../../client/agent/contact-centre";
import type { Viewer } from "../../client/agent/inbox";
import type { AgentState } from "../../client/agent/agent-state";
import { browserStore, openSocket, systemClock } from "../../client/core/browser";
import { SignedOut } from "../../client/core/connection";
import type { BoothDoor } from "../composer/recorders";
import { strings } from "../i18n/strings";

/** Who works here, and with what. */
export interface Place {
  readonly session: Session;
  readonly desk: AgentSession;
  readonly door: BoothDoor;
  readonly centre: ContactCentreStore;
  /** The value that every request which changes something carries. */
  readonly csrf: () => string;
}

const Context = createContext<Place | undefined>(undefined);
export const PlaceProvider = Context.Provider;

export function usePlace(): Place {
  const place = useContext(Context);
  if (place === undefined) throw new Error("usePlace outside of PlaceProvider");
  return place;
}

/** All that the desk knows; the component draws again when it changes. */
export function useSession(): AgentState {
  const { desk } = usePlace();
  return useSyncExternalStore(desk.store.subscribe, desk.store.get);
}

/** How the contact centre is run, and who works here. */
export function useCentre(): ContactCentreState {
  const { centre } = usePlace();
  return useSyncExternalStore(centre.store.subscribe, centre.store.get);
}

/** Keeps the centre as fresh as the server says. */
export function useCentreLife(): void {
  const { centre } = usePlace();
  const { centre: v, link } = useSession();
  useEffect(() => {
    if (link === "online") void centre.refresh(v);
  }, [centre, v, link]);
}

/** Who I am to the lists of the inbox. */
export function useViewer(): Viewer {
  const { me, standing } = useSession();
  const skills = standing?.skills;
  return useMemo(() => ({ me, skills }), [me, skills]);
}

/** A name for an agent's id. */
export function useNameOf(): (id: string | undefined) => string {
  const { agents } = useCentre();
  return (id) => agents.find((one) => one.id === id)?.name ?? strings.notice.somebody;
}

/** My own name: a manager may have changed it since I signed in. */
export function useMyName(): string {
  const { agent } = usePlace().session;
  return useCentre().agents.find(({ id }) => id === agent.id)?.name ?? agent.name;
}

/** The request that the client half makes, bound to this page. */
export const request = (path: string, init?: RequestInit): Promise<Response> => fetch(path, init);

/** A desk for a session. `csrf` is asked for at every connection, for signing in again brings a new one. */
export function newDesk(session: Session, csrf: () => string, renewed: (session: Session) => void): AgentSession {
  return new AgentSession({
    account: session.account.id,
    me: session.agent.id,
    storage: browserStore(),
    clock: systemClock,
    random: Math.random,
    open: openSocket,
    settings: session.settings,
    ticket: () => newTicket(session.agent.id, csrf, renewed),
  });
}

/** A ticket. Where another tab signed in anew, our CSRF value is an old one: the session tells the new one, if it is still ours. */
async function newTicket(me: string, csrf: () => string, renewed: (session: Session) => void): Promise<string> {
  const answer = await ticket(request, csrf());
  if (answer.ok) return answer.value;
  if (answer.refusal.code !== "csrf") throw lost(answer.refusal.code);
  const session = await currentSession(request);
  if (!session.ok) throw lost(session.refusal.code);
  if (session.value.agent.id !== me) throw new SignedOut();
  renewed(session.value);
  const again = await ticket(request, session.value.csrf);
  if (again.ok) return again.value;
  throw lost(again.refusal.code);
}

function lost(code: string): Error {
  return code === "not_signed_in" ? new SignedOut() : new Error(code);
}
