/** What the conversation says about a call that ended. Pure. */
import { callOf } from "../../client/conversation/calls";
import type { ConversationEvent } from "../../client/conversation/events";
import { fill } from "../../voice/ui/strings";
import { clockText } from "../../voice/ui/time";
import type { LaterRow } from "../conversation/rows";
import { contactCentreStrings } from "./contact-centre-strings";

/** The sentence, and whether the call came to nothing. */
export function callText(
  { content, by }: LaterRow, events: readonly ConversationEvent[],
): { readonly said: string; readonly failed: boolean } {
  if (content.kind !== "callEnded") return { said: "", failed: false };
  const invited = callOf(events, content)?.content;
  const kind = contactCentreStrings.callKinds[invited?.kind === "callInvited" ? invited.media : "voice"];
  const { why, ms } = content;
  if (ms !== undefined && why !== "failed") {
    return { said: fill(contactCentreStrings.called, { kind, time: clockText(ms) }), failed: false };
  }
  const text = why === "declined" ? contactCentreStrings.callDeclined
    : why === "failed" ? contactCentreStrings.callFailed
    : contactCentreStrings.callMissed;
  return { said: fill(text, { kind }), failed: why !== "declined" || by !== 1 };
}
