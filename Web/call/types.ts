/** What the parts of a call tell each other. */
import type { WireCallSignal } from "../protocol/frames";
import type { Quality } from "./quality";

export type CallKind = "voice" | "video";

/** What a device has switched on. */
export type Switches = NonNullable<WireCallSignal["media"]>;

/** How a connection is doing. `lost`: it came to nothing, or did not come back. */
export type ConnectionPhase = "connecting" | "connected" | "reconnecting" | "lost";

/** What is known of a connection. */
export interface ConnectionState {
  readonly phase: ConnectionPhase;
  /** What the other side has switched on, as it says. */
  readonly remote: Switches;
  readonly quality: Quality | undefined;
  /** The sound and pictures of the other side. */
  readonly stream: MediaStream | undefined;
}
