/**
 * The page around the widget, connected by the loader's MessagePort. A widget on a page of its own has none, and is
 * always open.
 */

/** The page around, as the widget talks to it. */
export interface Host {
  /** The address of the page around. */
  readonly page: string;
  /** There is a page around that can close the widget. */
  readonly embedded: boolean;
  tell(message: { close?: true; unread?: number; colors?: readonly [string, string]; started?: true }): void;
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

/** Resolves with the host as soon as it has introduced itself. */
export function findHost(events: HostEvents): Promise<Host> {
  const alone: Host = { page: document.referrer, embedded: false, tell: () => {} };
  if (window.parent === window) return Promise.resolve({ ...alone, page: location.href });
  return new Promise((found) => {
    const timer = setTimeout(() => found(alone), HANDSHAKE_MS);
    addEventListener("message", (event: MessageEvent<{ earshot?: unknown; page?: unknown }>) => {
      const port = event.ports[0];
      if (event.source !== window.parent || event.data?.earshot !== 1 || !port) return;
      clearTimeout(timer);
      port.onmessage = (message: MessageEvent<unknown>) => events.opened(message.data === true);
      found(
        { page: String(event.data.page ?? ""), embedded: true, tell: once((message) => port.postMessage(message)) }
      );
    });
  });
}
