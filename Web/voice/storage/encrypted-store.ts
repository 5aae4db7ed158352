/**
 * Stores data on the device encrypted: AES-256-GCM with a key for each owner (a signed-in agent, a consumer), generated
 * here and never extractable. Deleting the key erases everything it encrypted. Each record is bound to its place
 * (`bound`), so that nothing can be moved from one conversation, draft or position to another.
 */

const NAME = "earshot.voice";
const VERSION = 2;
/** The object store of keys, one for each owner. */
export const KEYS = "keys";
/** One row for each draft, and one for each of its pieces. */
export const DRAFTS = "drafts";
/** The object store of draft pieces. */
export const PIECES = "pieces";
/** Voice messages to play without a network. */
export const SOUNDS = "sounds";
/** Small values, such as texts that were not sent yet. */
export const VALUES = "values";
const IV_BYTES = 12;

/** Encrypted bytes and their initialization vector. */
export interface Sealed {
  readonly iv: Uint8Array;
  readonly bytes: ArrayBuffer;
}

/** The encrypted database of this origin. */
export class EncryptedStore {
  readonly #keys = new Map<string, Promise<CryptoKey>>();

  private constructor(readonly db: IDBDatabase) {}

  /** Opens the store. Throws where the browser stores nothing (a private window, blocked storage). */
  static async open(factory: IDBFactory = indexedDB): Promise<EncryptedStore> {
    const request = factory.open(NAME, VERSION);
    request.onupgradeneeded = () => {
      const { result: db } = request;
      for (const [name, keyPath] of [
        [KEYS], [DRAFTS, "id"], [PIECES, ["id", "index"]], [SOUNDS, ["owner", "media"]],
          [VALUES, ["owner", "name"]],
      ] as const) {
        if (!db.objectStoreNames.contains(name)) db.createObjectStore(
          name, keyPath === undefined ? {} : { keyPath: keyPath as string },
        );
      }
    };
    const db = await answer(request);
    // Another tab opens a newer version: close, so that it can upgrade.
    db.onversionchange = () => db.close();
    return new EncryptedStore(db);
  }

  async seal(owner: string, bound: string, bytes: BufferSource): Promise<Sealed> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    return { iv, bytes: await crypto.subtle.encrypt(how(iv, bound), await this.#key(owner), bytes) };
  }

  /** Throws where it was changed, moved, or locked by another key. */
  async unseal(owner: string, bound: string, { iv, bytes }: Sealed): Promise<ArrayBuffer> {
    return crypto.subtle.decrypt(how(iv, bound), await this.#key(owner), bytes);
  }

  /** Deletes the owner's key: nothing it encrypted can be read again. */
  async forget(owner: string): Promise<void> {
    this.#keys.delete(owner);
    await this.write([KEYS], (stores) => stores[KEYS]?.delete(owner));
  }

  /** One transaction; resolves when it is on the disk. */
  write(names: readonly string[], run: (stores: Record<string, IDBObjectStore>) => void): Promise<void> {
    return new Promise((done, failed) => {
      const transaction = this.db.transaction([...names], "readwrite", { durability: "strict" });
      transaction.oncomplete = () => done();
      transaction.onabort = transaction.onerror = () => failed(transaction.error ?? new Error("aborted"));
      run(Object.fromEntries(names.map((name) => [name, transaction.objectStore(name)])));
    });
  }

  read<T>(name: string, run: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    return answer(run(this.db.transaction(name, "readonly").objectStore(name)));
  }

  #key(owner: string): Promise<CryptoKey> {
    const known = this.#keys.get(owner);
    if (known) return known;
    const key = this.#keptKey(owner);
    this.#keys.set(owner, key);
    key.catch(() => this.#keys.delete(owner));
    return key;
  }

  /** Two tabs may want the first key at once: `add` lets one of them win, and both read the winner. */
  async #keptKey(owner: string): Promise<CryptoKey> {
    const kept = (): Promise<CryptoKey | undefined> => this.read(
      KEYS, (store) => store.get(owner) as IDBRequest<CryptoKey | undefined>,
    );
    const known = await kept();
    if (known) return known;
    const fresh = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    await this.write([KEYS], (stores) => stores[KEYS]?.add(fresh, owner)).catch(() => {});
    const winner = await kept();
    if (!winner) throw new Error("The key could not be kept.");
    return winner;
  }
}

const how = (iv: Uint8Array, bound: string): AesGcmParams => (
  { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(bound) }
);

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("failed"));
  });
}
