/** What screen readers hear of a new message. */
import type { Bubble } from "../../client/conversation/thread";
import { lengthText } from "../../voice/ui/time";
import { fill, strings } from "../strings";

/** The announcement of a message by someone else. */
export function announcementOf({ by, name, said }: Bubble): string {
  const who = by === 0 ? document.title : name || strings.brand;
  if (said.kind === "text") return fill(strings.saidText, { name: who, text: said.text });
  return fill(strings.saidVoice, { name: who, length: lengthText(said.audio.ms) });
}
