import { useEffect, useSyncExternalStore } from "react";
import type { AgentDesk } from "../../client/agent-desk";
import { proof, type Session } from "../../client/agent-session";
import { systemClock } from "../../client/browser";
import { Booth, type BoothState } from "../../voice/booth";
import { request, useDesk, usePlace } from "./desk";
import { strings } from "./strings";

const text = strings.recording;

/** Everything of recording for a signed-in agent. What is kept on the device is theirs alone, and goes when they sign out. */
export function newBooth(session: Session, desk: AgentDesk, csrf: () => string): Booth {
  const audio = (): { on: boolean; ms: number } => desk.store.get().settings.audio;
  return new Booth({
    owner: `agent ${session.account.id} ${session.agent.id}`,
    fetch: request,
    credentials: () => proof(csrf()),
    clock: systemClock,
    random: Math.random,
    limitMs: () => audio().ms,
    off: () => !audio().on,
    deliver: (c, recording, key) => desk.speak(c, recording, key),
  });
}

export function useBooth(): BoothState {
  const { booth } = usePlace();
  return useSyncExternalStore(booth.store.subscribe, booth.store.get);
}

/** Why this agent cannot record in this conversation now; `undefined` where they can. */
export function useWhyNot(c: string, status: string, ready: boolean): string | undefined {
  const { on, why = "brand" } = useDesk().settings.audio;
  const { listening } = useBooth();
  if (!on) return text.off[why];
  if (status === "closed") return text.closed;
  if (listening !== undefined && listening !== c) return text.elsewhere;
  return ready ? undefined : text.notYet;
}

/** What the page does for the recorder: nothing that was said is lost, and no microphone stays open. */
export function useBoothLife(booth: Booth): void {
  const { on } = useDesk().settings.audio;
  useEffect(() => {
    void booth.restore(() => true);
    const online = (): void => booth.nudge();
    const gone = (): void => booth.hush();
    const leaving = (event: BeforeUnloadEvent): void => {
      if (booth.store.get().unsafe) event.preventDefault();
    };
    addEventListener("online", online);
    addEventListener("pagehide", gone);
    addEventListener("beforeunload", leaving);
    return () => {
      removeEventListener("online", online);
      removeEventListener("pagehide", gone);
      removeEventListener("beforeunload", leaving);
      booth.hush();
    };
  }, [booth]);
  // Switched off while somebody speaks: what was said is kept.
  useEffect(() => {
    if (!on) booth.hush();
  }, [booth, on]);
}
