/** How a length is written and said. */

/** "0:07", "12:03": minutes and two digits of seconds. What is not a length is "0:00". */
export function clockText(ms: number): string {
  const seconds = Number.isFinite(ms) ? Math.max(0, Math.floor(ms / 1000)) : 0;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The length of a whole message: what is not a full second counts as one, so that nothing is "0:00" long. */
export const lengthText = (ms: number): string => clockText(Math.max(1000, Math.round(ms / 1000) * 1000));
