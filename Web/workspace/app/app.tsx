import { useCallback, useEffect, useRef, useState, type ReactElement } from "react";
import { currentSession, signOut, type Session } from "../../client/agent/sign-in";
import { ContactCentreStore } from "../../client/agent/contact-centre";
import { BoothDoor } from "../composer/recorders";
import { newDesk, PlaceProvider, request, type Place } from "./session-context";
import { prefer } from "./preferences";
import { later, style } from "./lazy-part";
import { Booting } from "../ui/skeletons";
import { Workspace } from "./workspace";

const SignIn = later("sign-in", () => import("../sign-in/sign-in-page"));

type At = Pick<Place, "desk" | "door" | "centre" | "csrf">;

type Phase =
  | { kind: "booting" }
  | { kind: "out"; notice?: string }
  | ({ kind: "in"; session: Session } & At);

/** The whole page: looks who is signed in, and shows the workspace or the way in. */
export function App(): ReactElement {
  const [phase, setPhase] = useState<Phase>({ kind: "booting" });
  const csrf = useRef("");

  const enter = useCallback((session: Session, same?: At) => {
    csrf.current = session.csrf;
    const renewed = (next: Session): void => void (csrf.current = next.csrf);
    const at = same ?? newPlace(session, () => csrf.current, renewed);
    at.desk.connection.start();
    // Last, for `same` is where one was before, with the session that is over: who comes back may have another role by now.
    setPhase({ ...at, kind: "in", session });
  }, []);

  useEffect(() => {
    void currentSession(request).then((answer) => {
      if (answer.ok) enter(answer.value);
      else setPhase(answer.refusal.code === "not_signed_in" ? { kind: "out" } : { kind: "out", notice: answer.refusal.code });
    });
  }, [enter]);

  useElsewhere(phase.kind === "in" ? phase : undefined);

  if (phase.kind === "booting") return <Booting />;
  if (phase.kind === "out") return <SignIn notice={phase.notice} entered={(session) => enter(session)} />;
  const { session } = phase;
  return (
    <PlaceProvider value={phase}>
      <Workspace
        entered={(next) => again(next, session, phase, enter)}
        leave={() => void leave(csrf.current, phase).then(() => setPhase({ kind: "out" }))}
      />
    </PlaceProvider>
  );
}

function newPlace(session: Session, csrf: () => string, renewed: (session: Session) => void): At {
  const desk = newDesk(session, csrf, renewed);
  const door = new BoothDoor(async () => {
    const [{ newBooths }] = await Promise.all([import("../composer/voice-parts"), style("composer")]);
    return newBooths(session, desk, csrf);
  });
  return { desk, door, csrf, centre: new ContactCentreStore(request) };
}

/** The name of the channel on which the tabs of one browser tell each other that the session is over. */
const ENDED = "earshot.session.ended";

/** Signing out in one tab is signing out in all of them, at once. */
function useElsewhere(at: At | undefined): void {
  const { desk, door } = at ?? {};
  useEffect(() => {
    if (desk === undefined) return;
    const channel = new BroadcastChannel(ENDED);
    channel.onmessage = () => {
      desk.connection.stop();
      void door?.wipe();
    };
    return () => channel.close();
  }, [desk, door]);
}

/** Signed in again: the same person goes on at the same desk; anybody else gets a desk of their own. */
function again(next: Session, old: Session, at: At, enter: (session: Session, same?: At) => void): void {
  const same = next.agent.id === old.agent.id && next.account.id === old.account.id;
  if (!same) {
    at.desk.connection.stop();
    at.door.stopCapture();
  }
  enter(next, same ? at : undefined);
}

/** Signs out: first here, where nothing may remain, then on the server. */
async function leave(csrf: string, { desk, door }: At): Promise<void> {
  desk.erase();
  await door.wipe();
  prefer({ email: "" });
  location.hash = "";
  await signOut(request, csrf);
  const channel = new BroadcastChannel(ENDED);
  channel.postMessage("ended");
  channel.close();
}
