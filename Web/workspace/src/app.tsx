import { useCallback, useEffect, useRef, useState, type ReactElement } from "react";
import { currentSession, signOut, type Session } from "../../client/agent-session";
import type { AgentDesk } from "../../client/agent-desk";
import { newDesk, PlaceProvider, request } from "./desk";
import { prefer } from "./preferences";
import { Booting } from "./skeletons";
import { SignIn } from "./signin";
import { Workspace } from "./workspace";

type Phase =
  | { kind: "booting" }
  | { kind: "out"; notice?: string }
  | { kind: "in"; session: Session; desk: AgentDesk };

/** The whole page: looks who is signed in, and shows the workspace or the way in. */
export function App(): ReactElement {
  const [phase, setPhase] = useState<Phase>({ kind: "booting" });
  const csrf = useRef("");

  const enter = useCallback((session: Session, desk?: AgentDesk) => {
    csrf.current = session.csrf;
    const renewed = (next: Session): void => void (csrf.current = next.csrf);
    const at = desk ?? newDesk(session, () => csrf.current, renewed);
    at.connection.start();
    setPhase({ kind: "in", session, desk: at });
  }, []);

  useEffect(() => {
    void currentSession(request).then((answer) => {
      if (answer.ok) enter(answer.value);
      else setPhase(answer.refusal.code === "not_signed_in" ? { kind: "out" } : { kind: "out", notice: answer.refusal.code });
    });
  }, [enter]);

  useElsewhere(phase.kind === "in" ? phase.desk : undefined);

  if (phase.kind === "booting") return <Booting />;
  if (phase.kind === "out") return <SignIn notice={phase.notice} entered={(session) => enter(session)} />;
  const { session, desk } = phase;
  return (
    <PlaceProvider value={phase}>
      <Workspace
        entered={(next) => again(next, session, desk, enter)}
        leave={() => void leave(csrf.current, desk).then(() => setPhase({ kind: "out" }))}
      />
    </PlaceProvider>
  );
}

/** The name of the channel on which the tabs of one browser tell each other that the session is over. */
const ENDED = "earshot.session.ended";

/** Signing out in one tab is signing out in all of them, at once. */
function useElsewhere(desk: AgentDesk | undefined): void {
  useEffect(() => {
    if (desk === undefined) return;
    const channel = new BroadcastChannel(ENDED);
    channel.onmessage = () => desk.connection.stop();
    return () => channel.close();
  }, [desk]);
}

/** Signed in again: the same person goes on at the same desk; anybody else gets a desk of their own. */
function again(next: Session, old: Session, desk: AgentDesk, enter: (session: Session, desk?: AgentDesk) => void): void {
  const same = next.agent.id === old.agent.id && next.account.id === old.account.id;
  if (!same) desk.connection.stop();
  enter(next, same ? desk : undefined);
}

/** Signs out: first here, where nothing may remain, then on the server. */
async function leave(csrf: string, desk: AgentDesk): Promise<void> {
  desk.erase();
  prefer({ email: "" });
  location.hash = "";
  await signOut(request, csrf);
  const channel = new BroadcastChannel(ENDED);
  channel.postMessage("ended");
  channel.close();
}
