/** Downloads with the proof of who asks in a header, under the name that the server gives. */

/** A refused download, with the server's code. */
export class DownloadRefused extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** Fetches and hands it to the browser's downloads. Throws `DownloadRefused` with the server's code. */
export async function download(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { headers }).catch(() => undefined);
  if (!response) throw new DownloadRefused("network");
  if (!response.ok) throw new DownloadRefused(codeOf(await response.json().catch(() => undefined)));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = nameIn(response.headers.get("content-disposition") ?? "");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), LINGERS_MS);
}

/** A browser needs a moment to take it. */
const LINGERS_MS = 10_000;

/** The name in a Content-Disposition (RFC 6266). */
export function nameIn(disposition: string): string {
  const wide = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  try {
    if (wide !== undefined) return decodeURIComponent(wide);
  } catch {
    // Broken escapes: the plain name has to do.
  }
  return /filename="?([^";]+)"?/i.exec(disposition)?.[1] ?? "voice-message";
}

function codeOf(body: unknown): string {
  const error = (body as { error?: { code?: unknown } } | undefined)?.error;
  return typeof error?.code === "string" ? error.code : "failed";
}
