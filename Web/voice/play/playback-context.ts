/** What all players of a page share: who listens, how that person likes it, and that only one plays at a time. */
import { browserStore } from "../../client/core/browser";
import { Floor, floorOf } from "./exclusive-playback";
import { Taste } from "./playback-preferences";

export interface Listening {
  readonly taste: Taste;
  readonly floor: Floor;
}

let shared: Listening | undefined;
let who = "";

/** Whose ears these are: an agent's id, or a consumer's conversation. Another person's speed and places are another's. */
export function listenAs(owner: string): void {
  if (shared && owner === who) return;
  shared?.floor.hush();
  who = owner;
  const taste = new Taste(browserStore(), owner);
  taste.watch(tell);
  shared = { taste, floor: floorOf(owner) };
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

export function listening(): Listening {
  if (!shared) listenAs("");
  return shared as Listening;
}

/** Stops whatever plays: before a recording starts, or when a page hides. */
export const stopPlaying = (): void => shared?.floor.hush();
