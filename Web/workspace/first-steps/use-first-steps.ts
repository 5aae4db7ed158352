import { useSessionState, useWorkspace } from "../app/session-context";
import { usePreferences } from "../app/preferences";
import { seesFirstSteps } from "./steps";

/**
 * Whether the first steps are shown: to those who can do something about an empty brand, from the moment at which its
 * inbox is found empty until they hide them.
 */
export function useFirstSteps(): boolean {
  const { identity: { agent, account } } = useWorkspace();
  const { inbox } = useSessionState();
  const steps = usePreferences().steps[account.id];
  return steps !== "hidden" && seesFirstSteps({ agent }) && (steps !== undefined || inbox.loaded && inbox.rows.size === 0);
}
