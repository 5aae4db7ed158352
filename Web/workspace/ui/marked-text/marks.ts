/** Which words of a text a search matches, by the rules of the server's index (SearchWords.swift). Pure. */
import { scalars } from "../../../client/core/text";
import { searchPrefixScalars } from "../../../protocol/limits";

/** A piece of a text. The pieces together are the text. */
export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** The parts of a text, with the words that `search` has marked: the last one may be the beginning of a word. */
export function markedParts(text: string, search: string): readonly MarkedPart[] {
  const words = (search.match(WORD) ?? []).map(folded);
  const last = words[words.length - 1] ?? "";
  const prefix = scalars(last) < searchPrefixScalars ? undefined : last;
  const isMatch = (word: string): boolean => words.includes(word) || (prefix !== undefined && word.startsWith(prefix));
  const parts: MarkedPart[] = [];
  let plain = 0;
  for (const match of words.length === 0 ? [] : text.matchAll(WORD)) {
    const [word] = match;
    const at = match.index ?? 0;
    if (word === undefined || !isMatch(folded(word))) continue;
    if (at > plain) parts.push({ text: text.slice(plain, at), isMarked: false });
    parts.push({ text: word, isMarked: true });
    plain = at + word.length;
  }
  if (plain < text.length) parts.push({ text: text.slice(plain), isMarked: false });
  return parts;
}

/** Case and diacritics make no difference. */
function folded(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
