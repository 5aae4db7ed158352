/** What a consumer can do about calls, now. Pure, but for what the page itself allows. */
import { obstacle } from "../../call/obstacle";
import type { ConsumerState } from "../../client/consumer/consumer-state";
import { ongoingCall, wantsCall } from "../../client/conversation/calls";

export { ongoingCall } from "../../client/conversation/calls";

/** The calls that this consumer may ask for: where the brand allows it, somebody can take it, and the page can. */
export function callsToAskFor({ settings: { calls }, timeline: { status, events }, expect }: ConsumerState): Kind[] {
  const isAnswered = status === "open" || (status === "waiting" && expect?.open === true);
  if (!calls?.requests || !isAnswered || obstacle() || ongoingCall(events) || wantsCall(events)) return [];
  return KINDS.filter((kind) => calls[kind]);
}

type Kind = "voice" | "video";

const KINDS: readonly Kind[] = ["voice", "video"];
