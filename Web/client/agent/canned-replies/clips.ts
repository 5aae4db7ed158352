/**
 * Recorded clips of canned replies: attached to a reply that is being written, and said as a voice message of its own.
 */
import type { Canned } from "../contact-centre";
import { call, HTTPProblem, type Fetch } from "../../core/api";
import type { AudioContent } from "../../conversation/events";
import { newID } from "../../core/keys";
import { read } from "../../core/shapes";
import { audio as audioShape } from "../../../protocol/shapes";

/** The recording of a canned reply. */
export type Clip = NonNullable<Canned["clip"]>;

/** A clip attached to a reply. The draft names the copy, so that it is never sent twice. */
export interface AttachedClip extends Clip {
  readonly draft: string;
}

/** The draft key of an attached clip, next to the text that is being written. */
export const clipDraft = (c: string): string => `clip ${c}`;

/** The draft of an attached clip, as it is stored. */
export const attached = (clip: Clip, draft: string = newID()): string => [draft, clip.media, clip.ms].join(" ");

/** What was kept; `undefined` where nothing was, or nothing of ours. */
export function attachedClip(kept: string | undefined): AttachedClip | undefined {
  const [draft, media, ms, ...more] = (kept ?? "").split(" ");
  if (!draft || !media || more.length > 0 || !/^\d+$/u.test(ms ?? "")) return undefined;
  return { draft, media, ms: Number(ms) };
}

/** The clip as a recording of this conversation: the same for the same draft. */
export async function copyClip(
  fetch: Fetch, proof: Record<string, string>, { media, draft }: AttachedClip, conversation: string,
): Promise<AudioContent> {
  const audio = read(
    audioShape,
    await call(fetch, "POST", `/v1/clips/${encodeURIComponent(media)}/copies`, proof, { conversation, draft })
  );
  if (!audio) throw new HTTPProblem(0, "bad_answer", "The answer is not a recording.");
  return audio;
}
