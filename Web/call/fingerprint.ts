/** What two people can compare to make sure that nobody is between their devices. Pure. */

/**
 * 128 bits, because someone in between would look for two keys of their own that give the same text on both sides,
 * which takes 2^64 attempts.
 */
const BYTES = 16;

/** The text for the two descriptions of a connection (RFC 8122): groups of four characters, in any order of the two. */
export async function fingerprintOf(descriptions: readonly string[]): Promise<string> {
  const both = descriptions.map((sdp) => /^a=fingerprint:(\S+ \S+)/mu.exec(sdp)?.[1] ?? "").sort().join("\n");
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(both)));
  const hex = [...hash.subarray(0, BYTES)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.match(/.{4}/gu)?.join(" ") ?? "";
}
