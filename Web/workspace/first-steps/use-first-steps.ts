import { useSessionState, useWorkspace } from "../app/session-context";
import { usePreferences } from "../app/preferences";
import { seesFirstSteps } from "./steps";

/**
 * Whether the first steps are shown: to those who can do something about a brand that never had a conversation, until
 * they hide them. (The feed of such a brand is at position 0.)
 */
export function useFirstSteps(): boolean {
  const { identity: { agent, account } } = useWorkspace();
  const { inbox } = useSessionState();
  const steps = usePreferences().steps[account.id];
  const isEmpty = inbox.loaded && inbox.position === 0;
  return steps !== "hidden" && seesFirstSteps({ agent }) && (steps !== undefined || isEmpty);
}
