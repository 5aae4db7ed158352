/** Every word of the voice parts. A front end may pass its own. `{…}` is filled in. */
export const voiceStrings = {
  play: "Play voice message, {length}",
  pause: "Pause voice message",
  position: "Position in voice message",
  positionOf: "{at} of {length}",
  speed: "Playback speed {rate}",
  loading: "Loading…",
  playFailed: "Could not load it.",
  again: "Try again",

  record: "Record a voice message",
  asking: "Allow the microphone to start",
  recording: "Recording",
  stop: "Stop and listen",
  trash: "Delete recording",
  send: "Send voice message",
  left: "{seconds} s left",
  silent: "We can’t hear anything. Is your microphone muted?",
  limit: "That is the longest a voice message can be.",
  lost: "The microphone was disconnected. What you said is kept.",
  preview: "Listen before you send",
  sending: "Sending voice message…",
  close: "Close",

  saidStarted: "Recording started.",
  saidStopped: "Recording stopped after {length}. Listen to it, send it or delete it.",
  saidDeleted: "Recording deleted.",
  saidSent: "Voice message sent.",
  saidLeft: "{seconds} seconds left.",

  denied: "The microphone is blocked for this page. Allow it next to the address bar of your browser, then try again.",
  blocked: "The page around this chat does not let it use the microphone. You can write instead.",
  missing: "No microphone was found. Plug one in and try again, or write instead.",
  busy: "Another program is using the microphone. Close it there, then try again.",
  insecure: "Recording needs a secure connection (https). You can write instead.",
  unsupported: "This browser cannot record sound. You can write instead.",
  network: "No connection. Your recording is kept.",
  tooLong: "The recording is longer than allowed ({length}).",
  tooLarge: "The recording is too large to send.",
  empty: "Nothing was recorded. Try again and speak into the microphone.",
  failed: "The recording could not be sent.",
};

export type VoiceStrings = typeof voiceStrings;

/** Fills `{name}` in. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
