/**
 * The newest voice messages of a conversation on the consumer's device, to play without a network. Encrypted
 * (encrypted.ts), each bound to its conversation and message; what does not open as it was put in is thrown away. The
 * brand sets how many; surplus goes at once.
 */
import { SOUNDS, EncryptedStore } from "./encrypted-store";
import type { Sealed } from "./encrypted-store";

interface Row extends Sealed {
  readonly owner: string;
  readonly media: string;
  /** The message's number: which ones are the newest. */
  readonly n: number;
}

/** The stored messages of this device. */
export class AudioCache {
  #opened: Promise<EncryptedStore> | undefined;
  readonly #openStore: () => Promise<EncryptedStore>;

  constructor(open: () => Promise<EncryptedStore> = () => EncryptedStore.open()) {
    this.#openStore = open;
  }

  /** The bytes of a message, if they are here and as they were. */
  async take(owner: string, media: string): Promise<ArrayBuffer | undefined> {
    const encrypted = await this.#open();
    const row = await encrypted.read(SOUNDS, (store) => store.get([owner, media]) as IDBRequest<Row | undefined>);
    if (!row) return undefined;
    try {
      return await encrypted.unseal(keyOf(owner), bound(row), row);
    } catch {
      await encrypted.write([SOUNDS], (stores) => stores[SOUNDS]?.delete([owner, media]));
      return undefined;
    }
  }

  /** Stores a message, if it is among the newest `keep`, and removes those that no longer are. */
  async put(owner: string, media: string, n: number, bytes: ArrayBuffer, keep: number): Promise<void> {
    const encrypted = await this.#open();
    const row: Row = { owner, media, n, ...(await encrypted.seal(keyOf(owner), bound({ owner, media, n }), bytes)) };
    await this.#newest(encrypted, owner, keep, row);
  }

  /** Removes all but the newest `keep`: the brand may have lowered the number. */
  async trim(owner: string, keep: number): Promise<void> {
    await this.#newest(await this.#open(), owner, keep);
  }

  /** Which messages are here. */
  async held(owner: string): Promise<readonly string[]> {
    return (await this.#rows(await this.#open())).filter((row) => row.owner === owner).map(({ media }) => media);
  }

  /** Removes the messages of everyone but `owner`, together with their keys. */
  async leave(owner: string | undefined): Promise<void> {
    const encrypted = await this.#open();
    const gone = (await this.#rows(encrypted)).filter((row) => row.owner !== owner);
    await encrypted.write([SOUNDS], (stores) => gone.forEach((row) => stores[SOUNDS]?.delete([row.owner, row.media])));
    for (const other of new Set(gone.map((row) => row.owner))) await encrypted.forget(keyOf(other));
  }

  /** One transaction: two messages that are put at once would each see room for itself. */
  #newest(encrypted: EncryptedStore, owner: string, keep: number, row?: Row): Promise<void> {
    return encrypted.write([SOUNDS], ({ [SOUNDS]: store }) => {
      if (row) store?.put(row);
      const all = store?.getAll() as IDBRequest<Row[]> | undefined;
      all?.addEventListener("success", () => {
        const surplus = all.result.filter((one) => one.owner === owner).sort((a, b) => b.n - a.n).slice(keep);
        for (const { media } of surplus) store?.delete([owner, media]);
      });
    });
  }

  #rows(encrypted: EncryptedStore): Promise<Row[]> {
    return encrypted.read(SOUNDS, (store) => store.getAll() as IDBRequest<Row[]>);
  }

  #open(): Promise<EncryptedStore> {
    this.#opened ??= this.#openStore();
    this.#opened.catch(() => (this.#opened = undefined));
    return this.#opened;
  }
}

/** Messages have a key of their own, so that forgetting them forgets no draft. */
const keyOf = (owner: string): string => `sounds.${owner}`;
const bound = (
  { owner, media, n }: Pick<Row, "owner" | "media" | "n">
): string => ["sound", owner, media, n].join("\n");
