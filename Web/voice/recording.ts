/** The life of one recording, as a pure state machine. What cannot happen in a state leaves it as it was. */

/** Why no recording could start, or why it could not be sent. */
export type Problem =
  | "denied"
  | "blocked"
  | "missing"
  | "busy"
  | "insecure"
  | "unsupported"
  | "network"
  | "tooLong"
  | "tooLarge"
  | "empty"
  | "failed";

/** Why it ended: the person stopped it, the limit did, or the microphone went away. */
export type Ending = "person" | "limit" | "lost";

export type Recording =
  | { readonly phase: "idle" }
  | { readonly phase: "asking" }
  | { readonly phase: "refused"; readonly problem: Problem }
  | { readonly phase: "recording"; readonly since: number }
  | { readonly phase: "stopped"; readonly ms: number; readonly ending: Ending }
  | { readonly phase: "sending"; readonly ms: number }
  | { readonly phase: "failed"; readonly ms: number; readonly problem: Problem };

export type Act =
  | { readonly act: "ask" }
  | { readonly act: "granted"; readonly at: number }
  | { readonly act: "denied"; readonly problem: Problem }
  | { readonly act: "stop"; readonly at: number; readonly ending: Ending }
  | { readonly act: "send" }
  | { readonly act: "sent" }
  | { readonly act: "failed"; readonly problem: Problem }
  | { readonly act: "cancel" };

export const IDLE: Recording = { phase: "idle" };

/** The state after `act`; the same object when the act means nothing in this state. */
export function after(state: Recording, act: Act): Recording {
  switch (act.act) {
    case "ask":
      return state.phase === "idle" || state.phase === "refused" ? { phase: "asking" } : state;
    case "granted":
      return state.phase === "asking" ? { phase: "recording", since: act.at } : state;
    case "denied":
      return state.phase === "asking" ? { phase: "refused", problem: act.problem } : state;
    case "stop":
      return state.phase === "recording" ? { phase: "stopped", ms: Math.max(0, act.at - state.since), ending: act.ending } : state;
    case "send":
      return state.phase === "stopped" || state.phase === "failed" ? { phase: "sending", ms: state.ms } : state;
    case "sent":
      return state.phase === "sending" ? IDLE : state;
    case "failed":
      return state.phase === "sending" ? { phase: "failed", ms: state.ms, problem: act.problem } : state;
    case "cancel":
      return state.phase === "sending" ? state : IDLE;
  }
}
