/** What a front end tells a player of a voice message. */
import type { Scan } from "../../client/conversation/events";

/** The message as the server described it. */
export interface Sounding {
  readonly ms: number;
  readonly wave: readonly number[];
  /** Loudness in tenths of LUFS. */
  readonly loud?: number;
  readonly scan?: Scan;
}

/** The message's place in a conversation. Without a `media` it is a preview: nothing is remembered, told or downloaded. */
export interface Shown {
  readonly media?: string;
  /** Who listens: speed and places are remembered per person. */
  readonly who?: string;
  /** The viewer recorded it. */
  readonly own?: boolean;
  /** Somebody of the viewer's side has still to hear it. */
  readonly unplayed?: boolean;
  readonly downloads?: Downloads;
  /** The bytes, to look for silences in. */
  readonly bytes?: () => Promise<ArrayBuffer>;
  readonly played?: (from: number, to: number) => void;
  /** It paused or ended. */
  readonly rested?: () => void;
}

/** What the menu offers. Each throws a `DownloadRefused`, for one, where the brand does not hand out originals. */
export interface Downloads {
  readonly mp3: () => Promise<void>;
  readonly original: () => Promise<void>;
}
