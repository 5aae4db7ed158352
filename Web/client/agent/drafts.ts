/** Drafts on the device: what an agent was writing survives a reload, and a session that ended. */

import { isObject } from "../core/parse";
import type { KeyValue } from "../core/ports";

/** Reads what was kept under `prefix`; what is no text is no draft. */
export function savedDrafts(storage: KeyValue, prefix: string): ReadonlyMap<string, string> {
  try {
    const kept: unknown = JSON.parse(storage.get(prefix) ?? "{}");
    const pairs = isObject(kept) ? Object.entries(kept) : [];
    return new Map(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
  } catch {
    return new Map();
  }
}

/** Keeps all drafts. A device that is full or refuses keeps them for as long as the page lives. */
export function saveDrafts(storage: KeyValue, prefix: string, drafts: ReadonlyMap<string, string>): void {
  try {
    if (drafts.size === 0) storage.remove(prefix);
    else storage.set(prefix, JSON.stringify(Object.fromEntries(drafts)));
  } catch {
    return;
  }
}
