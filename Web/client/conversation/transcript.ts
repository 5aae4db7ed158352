/** A conversation as text, to copy or to keep. Pure: the clock's and the people's words are arguments. */
import type { ConversationEvent } from "./events";

/** What a voice message reads as, in every transcript. */
export const AUDIO_LINE = "[audio message]";

export interface TranscriptWords {
  /** Date and time of a line. */
  readonly time: (at: number) => string;
  readonly name: (by: number) => string;
}

/** One line for everything that was said, oldest first. */
export function transcript(events: readonly ConversationEvent[], words: TranscriptWords): string {
  return events.flatMap((event) => transcriptLine(event, words)).join("\n");
}

/** Text keeps its line breaks, moved in, so that nobody can write a line that looks like another person's. */
function transcriptLine({ at, by, content }: ConversationEvent, words: TranscriptWords): string[] {
  if (content.kind !== "text" && content.kind !== "audio") return [];
  const said = content.kind === "audio" ? AUDIO_LINE : content.text.replace(/\r\n?|[\n\u2028\u2029]/g, "\n    ");
  return [`${words.time(at)} ${words.name(by)}: ${said}`];
}
