/** The life of one recording, as a pure state machine. What cannot happen in a state leaves it as it was. */

/** Why no recording could start, or why it could not be sent. */
export type Problem =
  | "denied"
  | "dismissed"
  | "system"
  | "policy"
  | "frame"
  | "missing"
  | "busy"
  | "insecure"
  | "unsupported"
  | "elsewhere"
  | "off"
  | "network"
  | "signedOut"
  | "tooLong"
  | "tooLarge"
  | "empty"
  | "damaged"
  | "blocked"
  | "full"
  | "failed";

/**
 * Why it ended: the person stopped it, the limit did, the microphone went away or was changed, the page was left, it
 * paused for too long, it was found on the device after a crash or a walk to another page, or its deletion was taken
 * back.
 */
export type Ending = "person" | "limit" | "lost" | "device" | "left" | "long" | "found" | "undone";

/** The state of a recording. */
export type Recording =
  | { readonly phase: "idle" }
  /** The panel is open, nothing is recorded yet. */
  | { readonly phase: "armed" }
  | { readonly phase: "asking" }
  | { readonly phase: "refused"; readonly problem: Problem }
  /** `before`: milliseconds that were spoken until the last pause. */
  | { readonly phase: "recording"; readonly since: number; readonly before: number }
  | { readonly phase: "paused"; readonly ms: number }
  | { readonly phase: "stopped"; readonly ms: number; readonly ending: Ending }
  | { readonly phase: "sending"; readonly ms: number }
  | { readonly phase: "failed"; readonly ms: number; readonly problem: Problem }
  /** Deleted, and may still be taken back. */
  | { readonly phase: "deleted"; readonly ms: number };

/** The name of a state. */
export type Phase = Recording["phase"];

/** What can happen to a recording. */
export type Act =
  | { readonly act: "arm" }
  | { readonly act: "ask" }
  | { readonly act: "granted"; readonly at: number }
  | { readonly act: "denied"; readonly problem: Problem }
  | { readonly act: "pause"; readonly at: number }
  | { readonly act: "resume"; readonly at: number }
  | { readonly act: "stop"; readonly at: number; readonly ending: Ending }
  | { readonly act: "found"; readonly ms: number }
  | { readonly act: "send" }
  | { readonly act: "hold" }
  | { readonly act: "sent" }
  | { readonly act: "failed"; readonly problem: Problem }
  | { readonly act: "delete"; readonly at: number }
  | { readonly act: "undo" }
  | { readonly act: "close" };

/** The same recording would be refused for this again. */
export const isFinal = (problem: Problem): boolean => [
  "tooLong", "tooLarge", "empty", "damaged", "blocked",
].includes(problem);

/** No recording. */
export const IDLE: Recording = { phase: "idle" };

/** How much was said at the time `at`. */
export function spokenMs(state: Recording, at: number): number {
  if (state.phase === "recording") return state.before + Math.max(0, at - state.since);
  return "ms" in state ? state.ms : 0;
}

/** Something was said and not sent: what a person would miss. */
export const holds = ({ phase }: Recording): boolean => [
  "recording", "paused", "stopped", "sending", "failed",
].includes(phase);

/** The microphone is open, or about to be. */
export const listens = (
  { phase }: Recording
): boolean => phase === "asking" || phase === "recording" || phase === "paused";

/** The state after `act`; the same object when the act means nothing in this state. */
export function after(state: Recording, act: Act): Recording {
  switch (act.act) {
    case "arm":
      return state.phase === "idle" || state.phase === "deleted" ? { phase: "armed" } : state;
    case "ask":
      return ["idle", "armed", "refused", "deleted"].includes(state.phase) ? { phase: "asking" } : state;
    case "granted":
      return state.phase === "asking" ? { phase: "recording", since: act.at, before: 0 } : state;
    case "denied":
      return state.phase === "asking" ? { phase: "refused", problem: act.problem } : state;
    case "close":
      return ["armed", "asking", "refused", "deleted"].includes(state.phase) ? IDLE : state;
    default:
      return afterSpoken(state, act);
  }
}

/** What happens to something that was said. */
function afterSpoken(state: Recording, act: Act): Recording {
  switch (act.act) {
    case "pause":
      return state.phase === "recording" ? { phase: "paused", ms: spokenMs(state, act.at) } : state;
    case "resume":
      return state.phase === "paused" ? { phase: "recording", since: act.at, before: state.ms } : state;
    case "stop":
      return state.phase === "recording" || state.phase === "paused" ? {
        phase: "stopped", ms: spokenMs(state, act.at), ending: act.ending,
      } : state;
    case "found":
      return state.phase === "idle" ? { phase: "stopped", ms: act.ms, ending: "found" } : state;
    case "send":
      return state.phase === "stopped" || state.phase === "failed" ? { phase: "sending", ms: state.ms } : state;
    case "hold":
      return state.phase === "sending" ? { phase: "stopped", ms: state.ms, ending: "person" } : state;
    case "sent":
      return state.phase === "sending" ? IDLE : state;
    case "failed":
      return state.phase === "sending" ? { phase: "failed", ms: state.ms, problem: act.problem } : state;
    case "delete":
      return holds(state) ? { phase: "deleted", ms: spokenMs(state, act.at) } : state;
    case "undo":
      return state.phase === "deleted" ? { phase: "stopped", ms: state.ms, ending: "undone" } : state;
    default:
      return state;
  }
}
