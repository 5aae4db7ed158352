/** The secondary commands of agents and managers: one member with its kind (docs/protocol.md section 2, `ask`). */
import type { AgentClientFrame } from "../../protocol/agent-frames";

type Without<Frame> = Frame extends { readonly ask: string } ? Omit<Frame, "ask" | "c"> : never;

/** One secondary command. */
export type AgentAsk = Without<AgentClientFrame>;

/** To a skill, to an agent, or (neither) back to the queue. `audio` is the id of a recording that was uploaded. */
export type Transfer = Extract<AgentAsk, { transfer: unknown }>["transfer"];
