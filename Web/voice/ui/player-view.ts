/** What a player shows of its state. Pure. */
import type { Scan } from "../../client/conversation/events";
import type { FaultCode, PlayState } from "../play/playback";
import type { PlayerStrings } from "./player-strings";
import { fill } from "./strings";
import { clockText, lengthText } from "./time";

/** `kept`: not checked yet, so only its sender can play it. */
export type PlayerStatus = PlayState | "kept" | "checked" | "blocked" | "spoiled" | "erased";

/** The status of a message. Its scan comes first: a blocked message has no other status. */
export function playerStatus(state: PlayState, fault: FaultCode, scan: Scan | undefined, own: boolean): PlayerStatus {
  if (scan === "blocked") return "blocked";
  if (scan === "failed" && !own) return "spoiled";
  if (scan === "pending" && !own) return "checked";
  if (state === "failed" && fault !== "failed") return fault;
  return scan !== undefined && state === "idle" ? "kept" : state;
}

/** Whether the message can be played, now or after a retry. */
export const isPlayable = (status: PlayerStatus): boolean => ![
  "checked", "blocked", "spoiled", "erased",
].includes(status);

/** The text under the waveform: position, length, or why the message cannot be played. */
export function words(status: PlayerStatus, at: number, ms: number, s: PlayerStrings): string {
  const length = lengthText(ms);
  const said: Partial<Record<PlayerStatus, string>> = {
    failed: s.failed, blocked: s.blocked, spoiled: s.spoiled, erased: s.erased, checked: `${length} · ${s.checked}`,
    kept: `${length} · ${s.checked}`,
  };
  return said[status] ?? (at > 0 || status === "playing" ? `${clockText(at)} / ${length}` : length);
}

/** The name of the play button. */
export function buttonName(status: PlayerStatus, ms: number, s: PlayerStrings): string {
  const length = lengthText(ms);
  switch (status) {
    case "playing":
    case "buffering": return s.pause;
    case "failed": return `${s.failed} ${s.again}`;
    case "checked": return fill(s.checkedLong, { length });
    case "blocked": return s.blocked;
    case "spoiled": return s.spoiled;
    case "erased": return s.erased;
    default: return fill(s.play, { length });
  }
}
