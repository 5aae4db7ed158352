/**
 * Commands that the server has not answered. Promise: a command is given to the storage with its key before it is
 * sent, and stays there until the server says `ok`. After a reconnect or a reload it is sent again, in
 * order, with the same key, so that it takes effect exactly once.
 */
import { isObject, number, string } from "./parse";
import { read } from "./shapes";
import { audio as audioShape } from "../../protocol/shapes";
import type { KeyValue } from "./ports";
import { commandFrame } from "./wire";
import type { Command } from "./wire";

/** A command with its key. */
export interface Entry {
  readonly key: string;
  readonly c?: string;
  readonly command: Command;
  /** When it was given, by this device's clock. Orders the entries together with `order`. */
  readonly at: number;
  readonly order: number;
  /** The timeline's cursor when it was first sent; absent before that. */
  readonly sentAfter?: number;
  /** Why the server refused it. It then waits for a person. */
  readonly refused?: { readonly code: string; readonly text: string };
}

/** The unanswered commands, in memory and in storage. */
export class Outbox {
  #entries: readonly Entry[] = [];
  #order = 0;
  readonly #storage: KeyValue;
  readonly #prefix: string;
  readonly #changed: () => void;

  /** `prefix` separates conversations and accounts in the shared `storage`. */
  constructor(storage: KeyValue, prefix: string, changed: () => void = () => {}) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#changed = changed;
    this.#entries = this.#load().sort(inOrder);
    this.#order = 1 + Math.max(-1, ...this.#entries.map((entry) => entry.order));
  }

  /** All entries, oldest first. A new array after every change. */
  all(): readonly Entry[] {
    return this.#entries;
  }

  /** Stores a command. Only then may its frame be sent. */
  add(key: string, command: Command, at: number, c?: string): Entry {
    const entry: Entry = { key, command, at, order: this.#order++, ...(c === undefined ? {} : { c }) };
    this.#put(entry);
    return entry;
  }

  /** The entries to send after a connection was made: everything without an answer, in order. */
  unanswered(): readonly Entry[] {
    return this.#entries.filter((entry) => !entry.refused);
  }

  /** Records that an entry was sent, and the timeline's cursor at that time. */
  wentOut(key: string, cursor: number): void {
    const entry = this.#find(key);
    if (entry && entry.sentAfter === undefined) this.#put({ ...entry, sentAfter: cursor });
  }

  /** `ok` arrived: removes the entry and returns it, or `undefined` when it was answered before. */
  accepted(key: string): Entry | undefined {
    const entry = this.#find(key);
    if (entry) this.drop(key);
    return entry;
  }

  /** `no` arrived: the entry stays, with the reason, until a person retries or drops it. */
  refused(key: string, code: string, text: string): void {
    const entry = this.#find(key);
    if (entry) this.#put({ ...entry, refused: { code, text } });
  }

  /** Adds a refused command again under `newKey`, at the end. To the server another key is another command. */
  retry(key: string, newKey: string, at: number): Entry | undefined {
    const old = this.#find(key);
    if (!old?.refused) return undefined;
    this.drop(key);
    return this.add(newKey, old.command, at, old.c);
  }

  /** Removes an entry. */
  drop(key: string): void {
    this.#entries = this.#entries.filter((entry) => entry.key !== key);
    attempt(() => this.#storage.remove(this.#prefix + key));
    this.#changed();
  }

  #find(key: string): Entry | undefined {
    return this.#entries.find((entry) => entry.key === key);
  }

  #put(entry: Entry): void {
    attempt(() => this.#storage.set(this.#prefix + entry.key, JSON.stringify(entry)));
    this.#entries = [...this.#entries.filter((other) => other.key !== entry.key), entry].sort(inOrder);
    this.#changed();
  }

  #load(): Entry[] {
    const keys = attempt(() => this.#storage.keys().filter((key) => key.startsWith(this.#prefix))) ?? [];
    return keys.map(
      (key) => parseEntry(attempt(() => this.#storage.get(key)))
    ).filter((entry): entry is Entry => entry !== undefined);
  }
}

/** Whether the command sends a message. */
export const isMessage = ({ command }: Entry): boolean => command.kind === "text" || command.kind === "audio";

/** The frame of an entry. */
export const entryFrame = (entry: Entry, read?: number): string => commandFrame(
  entry.key, entry.command, entry.c, read,
);

const inOrder = (a: Entry, b: Entry): number => a.at - b.at || a.order - b.order || (a.key < b.key ? -1 : 1);

/** Storage may be full or blocked: the client then continues in memory, and only a reload forgets. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function parseEntry(text: string | undefined): Entry | undefined {
  const v: unknown = attempt(() => JSON.parse(text ?? "null"));
  if (!isObject(v)) return undefined;
  const [key, c, sentAfter, command] = [
    string(v["key"]), string(v["c"]), number(v["sentAfter"]), parseCommand(v["command"]),
  ];
  if (key === undefined || !command) return undefined;
  const why = isObject(v["refused"]) ? {
    code: string(v["refused"]["code"]) ?? "", text: string(v["refused"]["text"]) ?? "",
  } : undefined;
  return {
    key,
    command,
    at: number(v["at"]) ?? 0,
    order: number(v["order"]) ?? 0,
    ...(c === undefined ? {} : { c }),
    ...(sentAfter === undefined ? {} : { sentAfter }),
    ...(why ? { refused: why } : {}),
  };
}

function parseCommand(v: unknown): Command | undefined {
  if (!isObject(v)) return undefined;
  const [kind, text, audio] = [v["kind"], string(v["text"]), read(audioShape, v["audio"])];
  if (kind === "text" && text !== undefined) return { kind, text };
  if (kind === "audio" && audio) return { kind, audio };
  if (kind === "ask" && isObject(v["ask"])) return { kind, ask: v["ask"] };
  return kind === "take" || kind === "close" ? { kind } : undefined;
}
