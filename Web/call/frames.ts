/** The frames that a device of a call sends: docs/protocol.md section 2. */
import type { WireCallReadiness, WireCallSignal } from "../protocol/frames";

/** This device takes part. `isFresh`: nothing of an earlier connection is left on it. */
export const joinFrame = (call: number, device: string, isFresh: boolean, c?: string): string =>
  JSON.stringify({ call, c, device, fresh: isFresh || undefined });

/** For the other device. */
export const signalFrame = (signal: WireCallSignal, call: number, c?: string): string =>
  JSON.stringify({ signal, call, c });

/** Asks both sides of a conversation what they can do for a call. */
export const checkFrame = (c: string): string => JSON.stringify({ check: c });

/** Answers that. */
export const checkedFrame = (checked: WireCallReadiness): string => JSON.stringify({ checked });
