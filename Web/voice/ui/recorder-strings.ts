/** All texts of the recorder. A front end may pass its own. `{name}` is a placeholder. Loaded with the recorder. */
import type { Plural } from "./strings";

/** The English texts of the recorder. */
export const recorderStrings = {
  /** The language of these texts: decides the plural rules. */
  language: "en",
  group: "Record a voice message",
  start: "Record",
  asking: "Allow the microphone to start",
  paused: "Paused",
  pause: "Pause recording",
  resume: "Resume recording",
  stop: "Stop and listen",
  trash: "Delete recording",
  send: "Send voice message",
  again: "Try again",
  now: "Try now",
  hold: "Don’t send",
  undo: "Undo",
  close: "Close",
  left: "{seconds} s left",
  microphone: "Microphone",
  anyMicrophone: "Default microphone",
  deleted: "Recording deleted",
  sending: "Sending…",
  sendingShare: "Sending… {percent}%",
  stalled: "No connection. It will be sent automatically.",

  permission: {
    granted: "Your browser allows the microphone.",
    prompt: "Your browser will ask for the microphone.",
    denied: "Your browser blocks the microphone for this page.",
    unknown: "",
  },
  allowedNow: "The microphone is allowed now. Try again.",

  silent: "We can’t hear anything. Is the microphone muted, or is it the wrong one?",
  clips: "That is very loud and will distort. Move away from the microphone a little.",
  full: "This device is full. Stay on this page until the message is sent, or it will be lost.",
  none: "This browser can’t save your recording. Stay on this page until the message is sent, or it will be lost.",

  ending: {
    person: "",
    limit: "That is the longest a voice message can be.",
    lost: "The microphone was disconnected. Your recording is saved.",
    device: "Your recording is saved. The next one uses the other microphone.",
    left: "Your recording is saved. Listen to it, send it or delete it.",
    long: "The pause was long, so the microphone was turned off. Your recording is saved.",
    found: "Your recording was interrupted and saved. Listen to it, send it or delete it.",
    undone: "Your recording is back.",
  },

  problem: {
    denied: "The microphone is blocked for this page.",
    dismissed: "The microphone prompt was dismissed. Try again, and choose “Allow”.",
    system:
      "Your computer does not let this browser use the microphone. Allow it in the system’s privacy " +
        "settings, then try again.",
    policy: "This website does not allow its own pages to use the microphone (Permissions-Policy). Contact its owner.",
    frame: "The page around this chat does not let it use the microphone. You can write instead.",
    missing: "No microphone was found. Plug one in and try again.",
    busy: "Another program is using the microphone. Close it, then try again.",
    insecure: "Recording needs a secure connection (https). You can write instead.",
    unsupported: "This browser cannot record sound. You can write instead.",
    elsewhere: "You are already recording on this page. Finish that recording first.",
    off: "Voice messages are turned off here. You can write instead.",
    network: "The server doesn’t respond. Your recording is saved.",
    signedOut: "You are signed out. Your recording is saved: sign in again, then try again.",
    tooLong: "The recording is longer than allowed ({length}).",
    tooLarge: "The recording is too large to send.",
    empty: "Nothing was recorded. Try again and speak into the microphone.",
    damaged: "The recording is damaged and can’t be sent.",
    blocked: "The recording was checked and may be harmful. It was not sent.",
    full: "The server is out of space. Your recording is saved: try again later.",
    failed: "The recording could not be sent. It is saved: try again.",
  },

  /** How to allow a blocked microphone, in the browser at hand. */
  grant: {
    chromium: "Click the icon at the left of the address, turn on “Microphone”, then try again.",
    firefox: "Click the crossed-out microphone to the left of the address, remove the block, then try again.",
    safari: "Open Safari › Settings › Websites › Microphone, allow this page, then try again.",
    iPhone: "Tap “aA” next to the address, then Website Settings › Microphone › Allow, then try again.",
  },

  saidStarted: "Recording started.",
  saidPaused: "Recording paused at {length}.",
  saidResumed: "Recording resumed.",
  saidStopped: "Recording stopped after {length}. Listen to it, send it or delete it.",
  saidDeleted: {
    one: "Recording deleted. You have {count} second to undo.",
    other: "Recording deleted. You have {count} seconds to undo.",
  } as Plural,
  saidSent: "Voice message sent.",
  saidLeft: { one: "{count} second left.", other: "{count} seconds left." } as Plural,
};

/** The texts of the recorder, in one language. */
export type RecorderStrings = typeof recorderStrings;
