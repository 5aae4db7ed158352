import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import { ContactCentreStore } from "../../client/agent/contact-centre";
import { currentSession, mustSetUp, type Session, signOut } from "../../client/agent/sign-in";
import { DialogState } from "../actions/dialog-state";
import { RecorderLoader, RecorderShortcuts } from "../composer/recorders";
import { ScrollPositions } from "../conversation/scroll";
import { CatchUpControl } from "../conversation/voice/voice";
import { SearchStore } from "../inbox/search-state";
import { AcceptedOffers } from "../offers/current-offers";
import { FocusRequest } from "../ui/focus";
import { Booting } from "../ui/skeletons";
import { newSession, request } from "./agent-session";
import { lazyPart, type PartLoader } from "./lazy-parts/lazy-part";
import { usePage } from "./page-context";
import type { Link } from "../sign-in/link";
import { type WorkspaceContext, WorkspaceProvider, type WorkspaceUI } from "./session-context";
import { Workspace } from "./workspace";

const SignInPage = lazyPart("sign-in", () => import("../sign-in/sign-in-page"));

const JoinPage = lazyPart("sign-in", () => import("../sign-in/join-page"));

const SetUpPage = lazyPart("sign-in", () => import("../sign-in/second-factor/set-up-page"));

type Connected = Omit<WorkspaceContext, "identity">;

type Phase =
  | { readonly kind: "booting" }
  | { readonly kind: "joining"; readonly link: Link }
  | { readonly kind: "signedOut"; readonly notice?: string }
  | { readonly kind: "settingUp"; readonly identity: Session; readonly connected: Connected | undefined }
  | ({ readonly kind: "signedIn" } & WorkspaceContext);

/** The whole page: finds out who is signed in, and shows the workspace or the sign-in page. */
export function App(): ReactElement {
  const [phase, enter, leave] = usePhase();
  useLaterLink();
  useSignOutElsewhere(phase.kind === "signedIn" ? phase : undefined);
  if (phase.kind === "booting") return <Booting />;
  if (phase.kind === "joining") return <JoinPage link={phase.link} entered={(next) => enter(next)} />;
  if (phase.kind === "signedOut") return <SignInPage notice={phase.notice} entered={(next) => enter(next)} />;
  if (phase.kind === "settingUp") {
    const { identity, connected } = phase;
    const done = (): void => enter({ ...identity, secondFactor: { on: true, required: true } }, connected);
    return <SetUpPage identity={identity} done={done} />;
  }
  return (
    <WorkspaceProvider value={phase}>
      <Workspace entered={(next) => signInAgain(next, phase, enter)} leave={() => leave(phase)} />
    </WorkspaceProvider>
  );
}

type Enter = (identity: Session, connected?: Connected) => void;

function usePhase(): [Phase, Enter, (workspace: WorkspaceContext) => void] {
  const [phase, setPhase] = useState<Phase>({ kind: "booting" });
  const csrf = useRef("");
  const { parts, preferences } = usePage();

  const enter = useCallback<Enter>((identity, connected) => {
    csrf.current = identity.csrf;
    if (mustSetUp(identity)) return setPhase({ kind: "settingUp", identity, connected });
    const renewed = (next: Session): void => void (csrf.current = next.csrf);
    const workspace = connected ?? connect(identity, () => csrf.current, renewed, parts);
    workspace.session.connection.start();
    // `identity` comes last: `connected` may hold the expired session's, with another role.
    setPhase({ ...workspace, kind: "signedIn", identity });
  }, [parts]);

  useEffect(() => {
    const link = openedLink();
    if (link !== undefined) return setPhase({ kind: "joining", link });
    void currentSession(request).then((answer) => {
      if (answer.ok) enter(answer.value);
      else setPhase({ kind: "signedOut", ...noticeFor(answer.refusal.code) });
    });
  }, [enter]);

  const leave = (workspace: WorkspaceContext): void => {
    preferences.set({ email: "" });
    void endSession(csrf.current, workspace).then(() => setPhase({ kind: "signedOut" }));
  };
  return [phase, enter, leave];
}

const LINK = /^#\/(join|enter)\/([\w-]{1,64})$/u;

/** Starts the page again when a link is opened in a tab that shows the workspace already. */
function useLaterLink(): void {
  useEffect(() => {
    const changed = (): void => {
      if (LINK.test(location.hash)) location.reload();
    };
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
}

/** The link that the page was opened with. It is removed from the address, and so from the browser's history. */
function openedLink(): Link | undefined {
  const [, kind, token] = LINK.exec(location.hash) ?? [];
  if (token === undefined) return undefined;
  history.replaceState(null, "", location.pathname);
  return { token, signsIn: kind === "enter" };
}

function noticeFor(code: string): { notice?: string } {
  return code === "not_signed_in" ? {} : { notice: code };
}

function connect(
  identity: Session,
  csrf: () => string,
  renewed: (identity: Session) => void,
  parts: PartLoader,
): Connected {
  const session = newSession(identity, csrf, renewed);
  const ui = newUI();
  const recorders = new RecorderLoader(async () => {
    const [{ newRecorders }] = await Promise.all([import("../composer/voice-parts"), parts.stylesheet("composer")]);
    return newRecorders({ identity, session, csrf, dialogs: ui.dialogs });
  });
  return { session, recorders, csrf, centre: new ContactCentreStore(request), ui };
}

function newUI(): WorkspaceUI {
  const focus = new FocusRequest();
  return {
    dialogs: new DialogState(),
    search: new SearchStore(),
    accepted: new AcceptedOffers(focus),
    scroll: new ScrollPositions(),
    focus,
    catchUp: new CatchUpControl(),
    recorderShortcuts: new RecorderShortcuts(),
  };
}

/** The BroadcastChannel on which the tabs of one browser tell each other that the session has ended. */
const ENDED = "earshot.session.ended";

/** Signing out in one tab signs out all tabs. */
function useSignOutElsewhere(workspace: Connected | undefined): void {
  const { session, recorders } = workspace ?? {};
  useEffect(() => {
    if (session === undefined) return;
    const channel = new BroadcastChannel(ENDED);
    channel.onmessage = () => {
      session.connection.stop();
      void recorders?.wipe();
    };
    return () => channel.close();
  }, [session, recorders]);
}

/** After a session expired: the same person keeps their connection and drafts; another person starts with their own. */
function signInAgain(next: Session, old: WorkspaceContext, enter: Enter): void {
  const { agent, account } = old.identity;
  const same = next.agent.id === agent.id && next.account.id === account.id;
  if (!same) {
    old.session.connection.stop();
    old.recorders.pause();
  }
  enter(next, same ? old : undefined);
}

/** Signs out: erases everything on this device first, then ends the session on the server. */
async function endSession(csrf: string, { session, recorders }: WorkspaceContext): Promise<void> {
  session.erase();
  await recorders.wipe();
  location.hash = "";
  await signOut(request, csrf);
  const channel = new BroadcastChannel(ENDED);
  channel.postMessage("ended");
  channel.close();
}
