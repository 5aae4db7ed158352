/** What an automatic message becomes: placeholders filled in, and what is said where one has no value. The server does the same. Pure. */

/** `text` with its values; the sentences whose placeholder has none are left away. */
export function fillTemplate(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const kept = sentences(text).filter((sentence) => placeholders(sentence).every((name) => values[name] !== undefined));
  return kept.join("").replace(/\{(\w+)\}/gu, (whole, name: string) => values[name] ?? whole).trim();
}

/** What is really said: `text`, or `without` where a placeholder of it has no value. */
export function automaticText(
  text: string,
  without: string | undefined,
  values: Readonly<Record<string, string | undefined>>,
): string {
  const complete = placeholders(text).every((name) => values[name] !== undefined);
  return fillTemplate(complete || without === undefined || without.trim() === "" ? text : without, values);
}

export const placeholders = (text: string): readonly string[] =>
  [...text.matchAll(/\{(\w+)\}/gu)].map((match) => match[1] ?? "");

/** Sentences with the space behind them: `.`, `!` and `?` end one where a space or the end follows, and so does a new line. */
function sentences(text: string): readonly string[] {
  return text.match(/[^.!?\n]*(?:[.!?](?!\s|$)[^.!?\n]*)*(?:[.!?]+(?=\s|$)|\n|$)\s*/gu)?.filter((sentence) =>
    sentence !== ""
  ) ?? [];
}
