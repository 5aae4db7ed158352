/** All texts of the player. A front end may pass its own. `{name}` is a placeholder. Loaded with the player. */
export const playerStrings = {
  play: "Play voice message, {length}",
  pause: "Pause voice message",
  position: "Position in voice message",
  positionOf: "{at} of {length}",
  failed: "Couldn’t load this message.",
  again: "Try again",
  erased: "This recording was deleted.",
  checked: "Being checked",
  checkedLong: "Voice message, {length}. It is being checked and will be playable in a moment.",
  blocked: "Blocked: this message may be harmful.",
  spoiled: "This message could not be checked, so it can’t be played.",
  unplayed: "Not played yet",

  speed: "Playback speed {rate}",
  speedTitle: "Playback speed",
  more: "More actions for this voice message",
  cut: "Skip silences",
  mp3: "Download as MP3",
  original: "Download original",
  originalRefused: "Original recordings can’t be downloaded here.",
  downloadFailed: "The download failed. Try again.",
  kept: "Downloads are logged and follow the brand’s data retention rules.",

  catchUp: "Catch up",
  catchUpLong: "Play all unplayed messages, {length}",
  catching: "Catching up: {n} of {count}",
  talk: "{talk} of talk in {time}",
  next: "Next message",
  stop: "Stop",
};

/** The texts of the player, in one language. */
export type PlayerStrings = typeof playerStrings;
