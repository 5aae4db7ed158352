/** Fills in the placeholders of an automatic message, as the server does. Pure. */

/** `text` with its values, without the sentences whose placeholder has no value. */
export function fillTemplate(text: string, values: Readonly<Record<string, string | undefined>>): string {
  const kept = sentences(text).filter((sentence) => placeholders(sentence).every((name) => values[name] !== undefined));
  return kept.join("").replace(/\{(\w+)\}/gu, (whole, name: string) => values[name] ?? whole).trim();
}

/** The text that is sent: `text`, or `without` if one of its placeholders has no value. */
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

/** Sentences with their trailing space. They end at `.`, `!` or `?` before a space or the end, or at a line break. */
function sentences(text: string): readonly string[] {
  return text.match(/[^.!?\n]*(?:[.!?](?!\s|$)[^.!?\n]*)*(?:[.!?]+(?=\s|$)|\n|$)\s*/gu)?.filter((sentence) =>
    sentence !== ""
  ) ?? [];
}
