/**
 * What only agents are told, and what only they say. Apart from wire.ts, so that a consumer's phone does not load it.
 */
import type { Presence } from "./people";
import { parser, write } from "../core/wire";
import { agentFrames, privateKinds } from "../../protocol/agent-shapes";
import { eventKinds, frames } from "../../protocol/shapes";

const kinds = { ...eventKinds, ...privateKinds };
const { watching, ...others } = agentFrames(kinds);

/**
 * Reads a frame that came to an agent. `watching` comes first: such a frame also has members that are kinds of their
 * own.
 */
export const parseAgentFrame = parser({ watching, ...frames(kinds), ...others });

/** An agent's first frame: I have every row through feed position `position`, and the brand's settings as of `v`. */
export const agentHello = (ticket: string, position?: number, epoch?: string, v?: number): string =>
  write({ hello: { ticket, position, epoch, v } });
export const watchFrame = (c: string, after?: number): string => write({ watch: c, after });
export const unwatchFrame = (c: string): string => write({ unwatch: c });
/** How I stand; answered by `me`. */
export const stateFrame = (state: Presence, reason?: string): string => write({ state, reason });
/** Tell me how the brand's people, or its queues, stand; or no longer. */
export const standingFrame = (what: "team" | "wall", on: boolean): string =>
  write(what === "team" ? { team: on } : { wall: on });
