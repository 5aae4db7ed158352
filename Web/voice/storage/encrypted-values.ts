/**
 * Small values of one owner, encrypted on the device (encrypted-store.ts). They are read once, when the page opens;
 * from then on this object answers, and writes what changes in order.
 */
import type { KeyValue } from "../../client/core/ports";
import { EncryptedStore, VALUES } from "./encrypted-store";
import type { Sealed } from "./encrypted-store";

interface Row extends Sealed {
  readonly owner: string;
  readonly name: string;
}

/** A storage whose owner's values no one else on the device can read. */
export class EncryptedValues implements KeyValue {
  readonly #values = new Map<string, string>();
  /** Missing where the browser stores nothing: then only this page has the values. */
  readonly #store: EncryptedStore | undefined;
  readonly #owner: string;
  #written: Promise<unknown> = Promise.resolve();

  private constructor(store: EncryptedStore | undefined, owner: string) {
    this.#store = store;
    this.#owner = owner;
  }

  /** Reads what the owner stored. */
  static async open(owner: string): Promise<EncryptedValues> {
    const store = await EncryptedStore.open().catch(() => undefined);
    const values = new EncryptedValues(store, owner);
    if (store) await values.#load(store).catch(() => {});
    return values;
  }

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: string): void {
    this.#values.set(key, value);
    this.#write(async (store) => {
      const sealed = await store.seal(this.#owner, this.#bound(key), new TextEncoder().encode(value));
      const row: Row = { owner: this.#owner, name: key, ...sealed };
      await store.write([VALUES], (stores) => stores[VALUES]?.put(row));
    });
  }

  remove(key: string): void {
    this.#values.delete(key);
    this.#write((store) => store.write([VALUES], (stores) => stores[VALUES]?.delete([this.#owner, key])));
  }

  keys(): string[] {
    return [...this.#values.keys()];
  }

  /** Removes everything, together with the key. */
  async wipe(): Promise<void> {
    this.#values.clear();
    this.#write(async (store) => {
      await store.forget(this.#owner);
      await store.write([VALUES], (stores) => stores[VALUES]?.delete(this.#all()));
    });
    await this.#written;
  }

  /** A value that cannot be stored stays in memory: only a reload forgets it. */
  #write(run: (store: EncryptedStore) => Promise<void>): void {
    const store = this.#store;
    if (store) this.#written = this.#written.then(() => run(store)).catch(() => {});
  }

  async #load(store: EncryptedStore): Promise<void> {
    const rows = await store.read(VALUES, (rows) => rows.getAll(this.#all()) as IDBRequest<Row[]>);
    for (const row of rows) {
      // What does not open as it was stored is skipped.
      const bytes = await store.unseal(this.#owner, this.#bound(row.name), row).catch(() => undefined);
      if (bytes) this.#values.set(row.name, new TextDecoder().decode(bytes));
    }
  }

  #all(): IDBKeyRange {
    return IDBKeyRange.bound([this.#owner], [this.#owner, []]);
  }

  #bound(name: string): string {
    return ["value", this.#owner, name].join("\n");
  }
}
