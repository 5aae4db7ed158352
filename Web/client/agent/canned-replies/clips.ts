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

/**
 * A clip attached to a reply. The draft names the copy, so that it is never sent twice. `from`, `to`: where the text
 * stands that was inserted with it; without them it was attached without a text, or again by hand.
 */
export interface AttachedClip extends Clip {
  readonly draft: string;
  readonly from?: number;
  readonly to?: number;
}

/** The draft key of an attached clip, next to the text that is being written. */
export const clipDraft = (c: string): string => `clip ${c}`;

/** The draft of an attached clip, as it is stored. */
export const attached = ({ media, ms, ...at }: Omit<AttachedClip, "draft">, draft: string = newID()): string =>
  [draft, media, ms, ...(at.from === undefined ? [] : [at.from, at.to])].join(" ");

/** What was selected before an edit. */
export type Selected = readonly [start: number, end: number];

/**
 * The clip after an edit of its reply's text: `undefined` once nothing is left of the text that was inserted with it.
 * `selected`: what the edit replaced, where that is known. The same letter typed over a text is not that text.
 */
export function clipAfterEdit(
  clip: AttachedClip, before: string, after: string, selected: Selected = [0, 0],
): AttachedClip | undefined {
  const { from, to } = clip;
  if (from === undefined || to === undefined || before === after) return clip;
  const over = ([start, end]: Selected): boolean => start <= from && end >= to;
  const [start, end] = replaced(before, after);
  if (to > before.length || over(selected) || over([start, end])) return undefined;
  const change = after.length - before.length;
  if (start >= to) return clip;
  if (end <= from) return { ...clip, from: from + change, to: to + change };
  return { ...clip, from: start <= from ? end + change : from, to: end >= to ? start : to + change };
}

/** The part of `before` that an edit replaced. */
function replaced(before: string, after: string): Selected {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let same = 0;
  while (same < most - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return [start, before.length - same];
}

/** What was kept; `undefined` where nothing was, or nothing of ours. */
export function attachedClip(kept: string | undefined): AttachedClip | undefined {
  const [draft, media, ms, ...at] = (kept ?? "").split(" ");
  if (!draft || !media || ![0, 2].includes(at.length)) return undefined;
  if (![ms ?? "", ...at].every((number) => /^\d+$/u.test(number))) return undefined;
  const clip = { draft, media, ms: Number(ms) };
  return at.length === 0 ? clip : { ...clip, from: Number(at[0]), to: Number(at[1]) };
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
