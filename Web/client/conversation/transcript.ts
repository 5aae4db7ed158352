/** A conversation as plain text. Pure: times and names are arguments. */
import type { ConversationEvent } from "./events";

/** What a voice message reads as, in every transcript. */
export const AUDIO_LINE = "[audio message]";

/** How times and names are written. */
export interface TranscriptWords {
  /** Date and time of a line. */
  readonly time: (at: number) => string;
  readonly name: (by: number) => string;
}

/** One line for everything that was said, oldest first. */
export function transcript(events: readonly ConversationEvent[], words: TranscriptWords): string {
  return events.flatMap((event) => transcriptLine(event, words)).join("\n");
}

/** Text keeps its line breaks, indented, so that no one can forge a line of another person. */
function transcriptLine({ at, by, content }: ConversationEvent, words: TranscriptWords): string[] {
  if (content.kind !== "text" && content.kind !== "audio") return [];
  const said = content.kind === "audio" ? AUDIO_LINE : content.text.replace(/\r\n?|[\n\u2028\u2029]/g, "\n    ");
  return [`${words.time(at)} ${words.name(by)}: ${said}`];
}
