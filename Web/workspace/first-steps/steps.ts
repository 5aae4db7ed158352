/** The first steps of a brand without conversations, and which of them are done. Pure. */
import { may, type PermissionHolder } from "../../client/agent/permissions";
import type { Standing } from "../../client/agent/people";

export type StepName = "online" | "line" | "write" | "invite";

export interface Step {
  readonly name: StepName;
  readonly isDone: boolean;
}

/** What the steps look at. */
export interface StepFacts {
  readonly agent: PermissionHolder;
  /** The person, as routing sees them. */
  readonly standing: Standing | undefined;
  /** How many people work for the brand or are invited. */
  readonly people: number;
  /** Whether the brand has an app that a page can show. */
  readonly hasApp: boolean;
  readonly hasConversation: boolean;
  /** Whether someone wrote from a page of the brand's own. */
  readonly isOnOwnPage: boolean;
}

/** The steps that the person may take, in their order. */
export function firstSteps(facts: StepFacts): readonly Step[] {
  const { agent, people, hasApp, hasConversation, isOnOwnPage } = facts;
  const steps: readonly (Step & { readonly isPossible: boolean })[] = [
    { name: "online", isPossible: may({ agent }, "conversations.answer"), isDone: takesConversations(facts) },
    { name: "line", isPossible: hasApp, isDone: isOnOwnPage },
    { name: "write", isPossible: hasApp, isDone: hasConversation },
    { name: "invite", isPossible: may({ agent }, "people.change"), isDone: people > 1 },
  ];
  return steps.filter(({ isPossible }) => isPossible).map(({ name, isDone }) => ({ name, isDone }));
}

/** Whether the person sees the steps: who can do more about an empty brand than go online. */
export const seesFirstSteps = (identity: { readonly agent: PermissionHolder }): boolean =>
  may(identity, "brand.change") || may(identity, "people.change");

/** Whether going online would bring nothing, because the person has no skill and may give themselves some. */
export const needsSeat = ({ agent, standing }: Pick<StepFacts, "agent" | "standing">): boolean =>
  standing !== undefined && standing.skills.length === 0 && may({ agent }, "seats.change");

function takesConversations(facts: StepFacts): boolean {
  const state = facts.standing?.presence.state;
  return (state === "online" || state === "occupied") && !needsSeat(facts);
}

/** Whether a page is of another site than the server's. */
export function isOwnPage(page: string | undefined, server: string): boolean {
  try {
    return page !== undefined && new URL(page).origin !== server;
  } catch {
    return false;
  }
}

/** The server's own page that shows the widget of an app, to try it before a site has it. */
export function tryAddress(account: string, app: string): string {
  return `/try/#${account}/${app}`;
}
