/**
 * Small values of one owner, encrypted on the device (encrypted-store.ts). They are read once, when the page opens;
 * from then on this object answers, and writes what changed right after it changed.
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
  /** The names of values that the next transaction writes. */
  #changed: Set<string> | undefined;
  #written: Promise<unknown> = Promise.resolve();

  private constructor(store: EncryptedStore | undefined, owner: string) {
    this.#store = store;
    this.#owner = owner;
  }

  /** Reads what the owner stored, and moves here what an earlier version stored unencrypted in `plain`. */
  static async open(owner: string, plain?: KeyValue): Promise<EncryptedValues> {
    const store = await EncryptedStore.open().catch(() => undefined);
    const values = new EncryptedValues(store, owner);
    if (store) await values.#load(store).catch(() => {});
    if (plain) await values.#adopt(plain);
    return values;
  }

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: string): void {
    this.#values.set(key, value);
    this.#change(key);
  }

  remove(key: string): void {
    if (this.#values.delete(key)) this.#change(key);
  }

  keys(): string[] {
    return [...this.#values.keys()];
  }

  /** Removes everything, together with the key. */
  async wipe(): Promise<void> {
    this.#values.clear();
    this.#changed = undefined;
    this.#write(async (store) => {
      await store.forget(this.#key);
      await store.write([VALUES], (stores) => stores[VALUES]?.delete(this.#all()));
    });
    await this.#written;
  }

  async #adopt(plain: KeyValue): Promise<void> {
    const keys = plain.keys().filter((key) => key.startsWith(this.#owner));
    for (const key of keys) if (!this.#values.has(key)) this.set(key, plain.get(key) ?? "");
    await this.#written;
    if (this.#store) keys.forEach((key) => plain.remove(key));
  }

  /** Writes the value with all others that change until the transaction begins. */
  #change(key: string): void {
    if (this.#changed) return void this.#changed.add(key);
    const changed = this.#changed = new Set([key]);
    this.#write(async (store) => {
      if (this.#changed === changed) this.#changed = undefined;
      const rows = await Promise.all([...changed].map((name) => this.#sealed(store, name)));
      await store.write([VALUES], ({ [VALUES]: values }) => rows.forEach((row) => void (
        "bytes" in row ? values?.put(row) : values?.delete([row.owner, row.name])
      )));
    });
  }

  /** A value that cannot be stored stays in memory: only a reload forgets it. */
  #write(run: (store: EncryptedStore) => Promise<void>): void {
    const store = this.#store;
    if (store) this.#written = this.#written.then(() => run(store)).catch(() => {});
  }

  /** The value as it is stored; without bytes when it was removed. */
  async #sealed(store: EncryptedStore, name: string): Promise<Row | { readonly owner: string; readonly name: string }> {
    const [owner, value] = [this.#owner, this.#values.get(name)];
    if (value === undefined) return { owner, name };
    return { owner, name, ...(await store.seal(this.#key, this.#bound(name), new TextEncoder().encode(value))) };
  }

  async #load(store: EncryptedStore): Promise<void> {
    const rows = await store.read(VALUES, (rows) => rows.getAll(this.#all()) as IDBRequest<Row[]>);
    await Promise.all(rows.map(async (row) => {
      // What does not open as it was stored is skipped.
      const bytes = await store.unseal(this.#key, this.#bound(row.name), row).catch(() => undefined);
      if (bytes) this.#values.set(row.name, new TextDecoder().decode(bytes));
    }));
  }

  /** Not the key of the owner's recordings: that one is deleted when the conversation ends, and these values stay. */
  get #key(): string {
    return `${this.#owner}values`;
  }

  #all(): IDBKeyRange {
    return IDBKeyRange.bound([this.#owner], [this.#owner, []]);
  }

  #bound(name: string): string {
    return ["value", this.#owner, name].join("\n");
  }
}
