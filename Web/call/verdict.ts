/** Whether a call can work between two devices, by what each found out about itself. Pure. */
import type { WireCallReadiness } from "../protocol/frames";
import type { CallKind } from "./types";

/** Why there can be no call: this device's own reasons, and those of the other side. */
export type Impossible = Problem | `their-${Problem}` | "noWay";

/** What is worth knowing before a call that can work. */
export type Remark = "noCamera" | "slow";

type Problem = NonNullable<WireCallReadiness["problem"]>;

/** What a video call needs in each direction, in kbit/s: less makes the pictures poor. */
const VIDEO_KBITS = 2000;

/** The answers of one round, of which the best device counts: the person may have several pages open. */
export const best = (answers: readonly WireCallReadiness[]): WireCallReadiness | undefined =>
  [...answers].sort((a, b) => rank(b) - rank(a))[0];

const rank = ({ problem, camera, ...ways }: WireCallReadiness): number =>
  (problem === undefined ? 4 : 0) + (isReachable(ways) ? 2 : 0) + (camera ? 1 : 0);

const isReachable = ({ host, reflexive, relay }: Pick<WireCallReadiness, "host" | "reflexive" | "relay">): boolean =>
  host || reflexive || relay;

/** Why there can be no call between these two; `undefined` where nothing speaks against it. */
export function impossible(own: WireCallReadiness, theirs: WireCallReadiness): Impossible | undefined {
  if (own.problem) return own.problem;
  if (theirs.problem) return `their-${theirs.problem}`;
  return isReachable(own) && isReachable(theirs) ? undefined : "noWay";
}

/** What to say about a call that can work. */
export function remark(own: WireCallReadiness, theirs: WireCallReadiness, kind: CallKind): Remark | undefined {
  if (kind === "voice") return undefined;
  if (!theirs.camera) return "noCamera";
  return [own, theirs].some(({ down = VIDEO_KBITS }) => down < VIDEO_KBITS) ? "slow" : undefined;
}
