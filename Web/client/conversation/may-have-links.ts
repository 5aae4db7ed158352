/** Whether a text may have links, told without the rules of links.ts, which load with the first such text. */
export function mayHaveLinks(text: string): boolean {
  return /[/@]|www\.|\d\d/i.test(text);
}
