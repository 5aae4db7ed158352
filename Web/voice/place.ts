/** What all players of a page share: who listens, how that person likes it, and that only one plays at a time. */
import { browserStore } from "../client/browser";
import { Floor, floorOf } from "./floor";
import { Taste } from "./taste";

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
  shared = { taste: new Taste(browserStore(), owner), floor: floorOf(owner) };
}

export function listening(): Listening {
  if (!shared) listenAs("");
  return shared as Listening;
}

/** Stops whatever plays: before a recording starts, or when a page hides. */
export const stopPlaying = (): void => shared?.floor.hush();
