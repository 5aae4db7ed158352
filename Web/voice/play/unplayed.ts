/** The messages of a conversation that the listener has not played yet. */
import type { AudioPlayer } from "../ui/player";

/** The players in `root` with unplayed messages, oldest first. */
export const unplayedIn = (root: ParentNode): AudioPlayer[] =>
  [...root.querySelectorAll<AudioPlayer>("earshot-audio[unplayed]")].filter((player) => player.unplayed);

/**
 * Plays the next unplayed message in `root`, after the one that plays now where one does. False where there is none.
 */
export function playNext(root: ParentNode): boolean {
  const [all, unplayed] = [[...root.querySelectorAll<AudioPlayer>("earshot-audio")], unplayedIn(root)];
  const now = all.findIndex((player) => player.playing);
  const next = unplayed.find((player) => all.indexOf(player) > now) ?? unplayed.find((player) => !player.playing);
  if (!next) return false;
  next.scrollIntoView({ block: "nearest" });
  void next.play();
  return true;
}
