/** The digest of a request's bytes, with which the server finds out whether they were damaged on the way (RFC 9530). */

/** The value of `Content-Digest`; `undefined` where the page is in no secure context: there browsers compute none. */
export async function contentDigest(
  bytes: Blob, subtle: SubtleCrypto | undefined = crypto.subtle,
): Promise<string | undefined> {
  if (!subtle) return undefined;
  const digest = new Uint8Array(await subtle.digest("SHA-256", await bytes.arrayBuffer()));
  return `sha-256=:${btoa(String.fromCharCode(...digest))}:`;
}
