/** Text as the server measures it. */

/** Length as the server counts it: Unicode scalars, not UTF-16 units. */
export function scalars(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
