/** What a consumer's session knows at a moment, and what it needs to be made. */
import type { Consumer } from "../core/api";
import type { Link } from "../core/connection";
import type { IdentityOptions } from "./identity";
import type { Entry } from "../core/outbox";
import type { Clock, Random, SocketLike } from "../core/ports";
import { DEFAULT_SETTINGS } from "../core/settings";
import type { Settings } from "../core/settings";
import { emptyTimeline } from "../conversation/timeline";
import type { Timeline } from "../conversation/timeline";
import type { Expectation } from "../conversation/waiting";

/**
 * `starting`: nothing known yet. `ready`: there is a conversation (the link may still be down). `unreachable`: the
 * server does not answer; the session keeps trying. `refused`: this app or origin may not. `ended`: the token is no
 * longer good.
 */
export type Phase = "starting" | "ready" | "unreachable" | "refused" | "ended";

/** The state of a consumer's session. */
export interface ConsumerState {
  readonly phase: Phase;
  readonly link: Link;
  readonly consumer?: Consumer;
  /** The first snapshot arrived. */
  readonly loaded: boolean;
  readonly timeline: Timeline;
  readonly pending: readonly Entry[];
  readonly typing: readonly number[];
  readonly loadingOlder: boolean;
  /** How far a person has seen it on this device; survives a reload. */
  readonly read: number;
  /** By when an agent replies, while the consumer waits. waiting.ts reads it. */
  readonly expect: Expectation | undefined;
  /** What the brand allows, as of now. */
  readonly settings: Settings;
}

/** What a consumer's session needs from the outside world. */
export interface ConsumerOptions extends IdentityOptions {
  readonly socket: () => SocketLike;
  readonly clock: Clock;
  readonly random: Random;
}

/** Before anything was asked. */
export const STARTING: ConsumerState = {
  phase: "starting",
  link: "idle",
  loaded: false,
  timeline: emptyTimeline,
  pending: [],
  typing: [],
  loadingOlder: false,
  read: 0,
  expect: undefined,
  settings: DEFAULT_SETTINGS,
};
