/** The status of agents and queues: the frames `me`, `team` and `wall` of docs/protocol.md section 2. */
import type { WireColleague, WireWall } from "../../protocol/agent-frames";

/** How routing sees a person. `load` in thousandths of a whole conversation, `capacity` in whole ones. */
export type Standing = WireColleague;

/** `occupied`: takes only what is transferred to them. */
export type Presence = Standing["presence"]["state"];

/** The figures of the live wall. */
export type Wall = WireWall;

/**
 * The figures of a skill's queue. `closed`, `satisfied` and `rated` count since the brand's midnight; `unplayed` in
 * milliseconds.
 */
export type QueueStanding = Wall["skills"][number];
