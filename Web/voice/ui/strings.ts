/** Every word of the voice parts. A front end may pass its own. `{…}` is filled in. */
export const voiceStrings = {
  again: "Try again",

  record: "Record a voice message",
};

export type VoiceStrings = typeof voiceStrings;

/** Fills `{name}` in. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
