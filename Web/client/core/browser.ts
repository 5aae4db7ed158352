/**
 * The browser's clock, storage and socket, as the ports of the client. The only file of the client that uses globals of
 * a page.
 */
import { MemoryStore } from "./ports";
import type { Clock, KeyValue, SocketLike, TimerID } from "./ports";

/** The browser's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => setTimeout(run, ms) as unknown as TimerID,
  cancel: (id) => clearTimeout(id),
};

/** `localStorage`, or memory where the browser refuses it (it throws on access in some third-party frames). */
export function browserStore(): KeyValue {
  try {
    const storage = window.localStorage;
    storage.setItem("earshot.probe", "1");
    storage.removeItem("earshot.probe");
    return {
      get: (key) => storage.getItem(key) ?? undefined,
      set: (key, value) => storage.setItem(key, value),
      remove: (key) => storage.removeItem(key),
      keys: () => Object.keys(storage),
    };
  } catch {
    return new MemoryStore();
  }
}

/** Where this page's server listens for sockets. */
export function openSocket(path = "/v1/socket"): SocketLike {
  const url = new URL(path, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return new WebSocket(url.href) as unknown as SocketLike;
}
