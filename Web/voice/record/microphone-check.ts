/**
 * Diagnoses why the microphone is unavailable. It relies on what the browser reports and supports, never on its name.
 */
import type { Problem } from "./recording";

/** What an error of `getUserMedia` means here. */
export async function diagnosed(error: unknown): Promise<Problem> {
  const { name, message } = error instanceof DOMException ? error : { name: "", message: "" };
  if (name === "NotFoundError" || name === "OverconstrainedError") return "missing";
  if (name === "NotReadableError" || name === "AbortError") return "busy";
  if (name !== "NotAllowedError" && name !== "SecurityError") return "failed";
  if (/system/i.test(message)) return "system";
  return withheld() ?? (/dismiss/i.test(message) || (await permission()) === "prompt" ? "dismissed" : "denied");
}

/** Whether the page's policy, and not the person, blocks the microphone. Only some browsers tell. */
function withheld(): Problem | undefined {
  const allows = (page: Document): boolean | undefined =>
    (page as { featurePolicy?: { allowsFeature(name: string): boolean } }).featurePolicy?.allowsFeature("microphone");
  if (allows(document) !== false) return undefined;
  try {
    // Our own page around us may use it, and its frame does not hand it on; any other page around is not ours to look
    // at.
    return window.parent !== window && allows(window.parent.document) === true ? "frame" : framed();
  } catch {
    return framed();
  }
}

/**
 * What keeps the microphone from us before anyone presses a button, for the person who built the page around. Only some
 * browsers tell of a policy.
 */
export function microphoneProblem(): string | undefined {
  const { isSecureContext, origin } = window;
  return isSecureContext && !withheld() ? undefined : `Earshot: voice messages do not work on this page. ${
    isSecureContext ? `Permissions-Policy: microphone=(self "${origin}") allows them.` : "It has to come over https."
  }`;
}

const framed = (): Problem => (window.parent === window ? "policy" : "frame");

/** The browser's permission for the microphone. */
export type Permission = "granted" | "prompt" | "denied" | "unknown";

const query = (): Promise<PermissionStatus> => navigator.permissions.query({ name: "microphone" as PermissionName });

/** The permission of this page, as far as the browser tells without a prompt. */
export async function permission(): Promise<Permission> {
  try {
    return (await query()).state;
  } catch {
    return "unknown";
  }
}

/** Calls back whenever the permission changes, for as long as it is watched. Returns the way to stop. */
export function watchPermission(changed: (now: Permission) => void): () => void {
  let status: PermissionStatus | undefined;
  let watched = true;
  const tell = (): void => changed(status?.state ?? "unknown");
  query().then((found) => {
    if (!watched) return;
    status = found;
    status.addEventListener("change", tell);
    tell();
  }, () => changed("unknown"));
  return () => {
    watched = false;
    status?.removeEventListener("change", tell);
  };
}

/** A family of browsers with the same way to the permission. */
export type Browser = "chromium" | "firefox" | "safari" | "iPhone";

/**
 * Which way to the permission to describe. Told by what the style engine knows; nothing but the wording depends on it.
 */
export function browserLike(): Browser {
  if (CSS.supports("-webkit-touch-callout", "none")) return "iPhone";
  if (CSS.supports("-moz-appearance", "none") && !("webkitRequestFileSystem" in window)) return "firefox";
  return "GestureEvent" in window ? "safari" : "chromium";
}

/** A device to choose. */
export interface Microphone {
  readonly id: string;
  readonly name: string;
}

/** The microphones there are. Their names are known only once one of them was allowed. */
export async function microphones(): Promise<readonly Microphone[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? [];
  return devices.filter(
    ({ kind, deviceId, label }) => kind === "audioinput" && deviceId !== "" && label !== ""
  ).map(({ deviceId, label }) => ({ id: deviceId, name: label }));
}
