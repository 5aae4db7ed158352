import { createContext, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import type { AgentSession } from "../../client/agent/agent-session";
import type { AgentState } from "../../client/agent/agent-state";
import type { ContactCentreStore, ContactCentreState } from "../../client/agent/contact-centre";
import type { Viewer } from "../../client/agent/inbox";
import type { Session } from "../../client/agent/sign-in";
import type { DialogState } from "../actions/dialog-state";
import type { RecorderLoader, RecorderShortcuts } from "../composer/recorders";
import type { ScrollPositions } from "../conversation/scroll";
import type { CatchUpControl } from "../conversation/voice/voice";
import { texts } from "../i18n/texts";
import type { SearchStore } from "../inbox/search-state";
import type { AcceptedOffers } from "../offers/current-offers";
import type { FocusRequest } from "../ui/focus";

/** What the components share while someone is signed in. */
export interface WorkspaceContext {
  /** The person who is signed in, and their account. */
  readonly identity: Session;
  /** The connection to the server, and the state that it delivers. */
  readonly session: AgentSession;
  readonly recorders: RecorderLoader;
  readonly centre: ContactCentreStore;
  /** The value that every request which changes something carries. */
  readonly csrf: () => string;
  readonly ui: WorkspaceUI;
}

/** The state of the page itself, shared by components that are far apart. */
export interface WorkspaceUI {
  readonly dialogs: DialogState;
  readonly search: SearchStore;
  readonly accepted: AcceptedOffers;
  readonly scroll: ScrollPositions;
  readonly focus: FocusRequest;
  readonly catchUp: CatchUpControl;
  readonly recorderShortcuts: RecorderShortcuts;
}

const Context = createContext<WorkspaceContext | undefined>(undefined);
/** Hands the workspace's shared objects to all components below it. */
export const WorkspaceProvider = Context.Provider;

/** The workspace's shared objects. */
export function useWorkspace(): WorkspaceContext {
  const workspace = useContext(Context);
  if (workspace === undefined) throw new Error("useWorkspace is used outside of WorkspaceProvider");
  return workspace;
}

/** Everything the session knows; the component renders again when it changes. */
export function useSessionState(): AgentState {
  const { session } = useWorkspace();
  return useSyncExternalStore(session.store.subscribe, session.store.get);
}

/** The settings of the contact centre and its agents; the component renders again when they change. */
export function useCentre(): ContactCentreState {
  const { centre } = useWorkspace();
  return useSyncExternalStore(centre.store.subscribe, centre.store.get);
}

/** Fetches the contact centre's settings again whenever the server announces a newer version. */
export function useFreshContactCentre(): void {
  const { centre } = useWorkspace();
  const { centre: version, link } = useSessionState();
  useEffect(() => {
    if (link === "online") void centre.refresh(version);
  }, [centre, version, link]);
}

/** The signed-in person, as the inbox's lists need them. */
export function useViewer(): Viewer {
  const { me, standing } = useSessionState();
  const skills = standing?.skills;
  return useMemo(() => ({ me, skills }), [me, skills]);
}

/** A function that tells an agent's name by their id. */
export function useNameOf(): (id: string | undefined) => string {
  const { agents } = useCentre();
  return (id) => agents.find((agent) => agent.id === id)?.name ?? texts.notice.somebody;
}

/** The name of the signed-in person, which a manager may have changed since they signed in. */
export function useMyName(): string {
  const { agent } = useWorkspace().identity;
  return useCentre().agents.find(({ id }) => id === agent.id)?.name ?? agent.name;
}
