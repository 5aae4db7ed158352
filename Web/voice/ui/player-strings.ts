/** Every word of the player. A front end may pass its own. `{…}` is filled in. */
export const playerStrings = {
  play: "Play voice message, {length}",
  pause: "Pause voice message",
  position: "Position in voice message",
  positionOf: "{at} of {length}",
  loading: "Loading…",
  failed: "Could not load it.",
  again: "Try again",
  erased: "This recording is not there any more.",
  checked: "Being checked",
  checkedLong: "Voice message, {length}. It is being checked and can be played in a moment.",
  blocked: "Blocked: it holds something harmful.",
  spoiled: "It could not be checked, so it cannot be played.",
  unplayed: "Not played yet",
  played: "{percent} % played",

  speed: "Playback speed {rate}",
  speedTitle: "Playback speed",
  more: "More for this voice message",
  cut: "Skip silences",
  mp3: "Download as MP3",
  original: "Download original",
  originalRefused: "Originals are not handed out here.",
  downloadFailed: "The download did not work.",
  kept: "Downloads are logged, and fall under the brand’s rules for retention data.",

  catchUp: "Catch up",
  catchUpLong: "Play everything that was not played yet, {length}",
  catching: "Catching up: {n} of {count}",
  talk: "{talk} of talk in {time}",
  next: "Next",
  stop: "Stop",
  caughtUp: "That was everything.",
};

export type PlayerStrings = typeof playerStrings;
