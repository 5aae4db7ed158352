/** Why there can be no call on this page at all, before anyone is asked. */

/** What keeps a page from calls: it came without https, or the browser knows no calls. */
export type Obstacle = "insecure" | "unsupported";

/** Why there can be no call here; `undefined` where there can. */
export function obstacle(): Obstacle | undefined {
  if (!isSecureContext) return "insecure";
  return typeof RTCPeerConnection === "function" && "mediaDevices" in navigator ? undefined : "unsupported";
}
