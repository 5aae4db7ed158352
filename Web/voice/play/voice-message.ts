/** What a front end passes to a player. */
import type { Scan } from "../../client/conversation/events";

/** The message as the server described it. */
export interface Sounding {
  readonly ms: number;
  readonly wave: readonly number[];
  /** Loudness in tenths of LUFS. */
  readonly loud?: number;
  readonly scan?: Scan;
}

/**
 * The message's context in a conversation. Without a `media` it is a preview: nothing is stored, reported or
 * downloaded.
 */
export interface Shown {
  readonly media?: string;
  /** The listener: speed and positions are stored per listener. */
  readonly who?: string;
  /** The viewer recorded it. */
  readonly own?: boolean;
  /** No one on the viewer's side has listened to it. */
  readonly unplayed?: boolean;
  readonly downloads?: Downloads;
  /** The bytes, to look for silences in. */
  readonly bytes?: () => Promise<ArrayBuffer>;
  readonly played?: (from: number, to: number) => void;
  /** Called when it paused or ended. */
  readonly rested?: () => void;
}

/** What the menu offers. Each throws a `DownloadRefused`, for one, where the brand does not hand out originals. */
export interface Downloads {
  readonly mp3: () => Promise<void>;
  readonly original: () => Promise<void>;
}
