/**
 * The page around the widget, connected by the loader's MessagePort. A widget on a page of its own has none, and is
 * always open.
 */

/** The page around, as the widget talks to it. */
export interface Host {
  /** The address of the page around: origin and path. */
  readonly page: string;
  /** The parameters of its address that the brand named. No others leave the page. */
  readonly pageParameters: Readonly<Record<string, string>>;
  /** The way to the page around, which can close the widget; missing where there is none. */
  readonly port?: MessagePort;
  tell(message: { close?: true; error?: string; unread?: number; look?: string; started?: true }): void;
}

/** What the page around reports. */
export interface HostEvents {
  opened(open: boolean): void;
}

/** How long to wait for a loader before starting without one. */
const HANDSHAKE_MS = 1500;

/** Omits values that did not change. `close` is an event and is always sent. */
function once(tell: Host["tell"]): Host["tell"] {
  const said: Record<string, unknown> = {};
  return (message) => {
    const news = Object.entries(message).filter(
      ([name, value]) => name === "close" || JSON.stringify(said[name]) !== JSON.stringify(value)
    );
    Object.assign(said, message);
    if (news.length > 0) tell(Object.fromEntries(news));
  };
}

/** Origin and path of an address: the rest may hold secrets. */
const pageAddress = (address: unknown): string => String(address).split(/[?#]/)[0] as string;

/** Resolves with the host as soon as it has introduced itself. */
export function findHost(events: HostEvents): Promise<Host> {
  const alone: Host = { page: pageAddress(document.referrer), pageParameters: {}, tell: () => {} };
  if (window.parent === window) return Promise.resolve({ ...alone, page: pageAddress(location) });
  return new Promise((found) => {
    const timer = setTimeout(() => found(alone), HANDSHAKE_MS);
    addEventListener("message", (event: MessageEvent<unknown>) => {
      const port = event.ports[0];
      if (event.source !== window.parent || !Array.isArray(event.data) || !port) return;
      const [address, named] = event.data as [unknown, [string, string][]];
      clearTimeout(timer);
      port.onmessage = ({ data }: MessageEvent<unknown>) => typeof data === "boolean" && events.opened(data);
      found({
        page: pageAddress(address),
        pageParameters: Object.fromEntries(named),
        port,
        tell: once((message) => port.postMessage(message)),
      });
    });
  });
}
