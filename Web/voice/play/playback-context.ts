/** What all players of a page share: who listens, how that person likes it, and that only one plays at a time. */
import { browserStore } from "../../client/core/browser";
import { ExclusivePlayback, exclusivePlaybackFor } from "./exclusive-playback";
import { PlaybackPreferences } from "./playback-preferences";

export interface PlaybackContext {
  readonly preferences: PlaybackPreferences;
  readonly exclusive: ExclusivePlayback;
}

let shared: PlaybackContext | undefined;
let who = "";

/** Whose ears these are: an agent's id, or a consumer's conversation. Another person's speed and places are another's. */
export function listenAs(owner: string): void {
  if (shared && owner === who) return;
  shared?.exclusive.pauseCurrent();
  who = owner;
  const preferences = new PlaybackPreferences(browserStore(), owner);
  preferences.watch(tell);
  shared = { preferences, exclusive: exclusivePlaybackFor(owner) };
  tell();
}

const watchers = new Set<() => void>();

function tell(): void {
  for (const watcher of [...watchers]) watcher();
}

/** Calls `watcher` when speed or silences change, or the person. Returns the way to stop. */
export function watchTaste(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

export function listening(): PlaybackContext {
  if (!shared) listenAs("");
  return shared as PlaybackContext;
}

/** Stops whatever plays: before a recording starts, or when a page hides. */
export const stopPlaying = (): void => shared?.exclusive.pauseCurrent();
