/**
 * Unsent recordings on the device: stored piece by piece while recording, so that a crash costs a second or two at
 * most. A draft belongs to its owner and its conversation; every piece is bound to both, to the draft and to its
 * position.
 */
import { DRAFTS, PIECES, EncryptedStore } from "./encrypted-store";
import type { Sealed } from "./encrypted-store";

/** What should happen to a draft: wait for a person, be sent automatically, or be deleted on the server too. */
export type Intent = "keep" | "send" | "delete";

/** What identifies a draft. */
export interface DraftHead {
  readonly id: string;
  readonly conversation: string;
  readonly mime: string;
}

/** A draft that an earlier page left. */
export interface KeptDraft extends DraftHead {
  readonly intent: Intent;
  readonly ms: number;
  readonly levels: readonly number[];
  readonly pieces: readonly Blob[];
}

/** What is known of a piece in addition to its bytes. */
export interface PieceNote {
  /** How much was spoken when it ended. */
  readonly ms: number;
  /** The meter since the piece before. */
  readonly levels: readonly number[];
}

/** Where drafts are stored. Every method throws where the device stores nothing; recording continues without. */
export interface DraftBook {
  begin(head: DraftHead): Promise<void>;
  add(head: DraftHead, index: number, bytes: Blob, note: PieceNote): Promise<void>;
  mark(id: string, intent: Intent): Promise<void>;
  drop(id: string): Promise<void>;
  /** What earlier pages left. Each is given to one page only, and not while the page that made it lives. */
  found(): Promise<readonly KeptDraft[]>;
  /** Nothing of this owner remains readable. */
  wipe(): Promise<void>;
}

interface Row extends DraftHead {
  readonly owner: string;
  readonly intent: Intent;
}

interface PieceRow extends Sealed {
  readonly id: string;
  readonly index: number;
}

/** The drafts of one owner in the encrypted store. */
export class DeviceDrafts implements DraftBook {
  #opened: Promise<EncryptedStore> | undefined;
  /** Lets go of the drafts that this page holds. */
  readonly #held = new Map<string, () => void>();
  readonly #owner: string;
  readonly #some: (some: boolean) => void;

  /** `some` is called when there is a draft of this owner on the device, and when there is none. */
  constructor(owner: string, some: (some: boolean) => void = () => {}) {
    this.#owner = owner;
    this.#some = some;
  }

  async begin(head: DraftHead): Promise<void> {
    await this.#hold(head.id);
    const row: Row = { ...head, owner: this.#owner, intent: "keep" };
    await (await this.#open()).write([DRAFTS], (stores) => stores[DRAFTS]?.put(row));
    this.#some(true);
  }

  async add(head: DraftHead, index: number, bytes: Blob, note: PieceNote): Promise<void> {
    const encrypted = await this.#open();
    const sealed = await encrypted.seal(this.#owner, this.#bound(head, index), framed(note, await bytes.arrayBuffer()));
    const row: PieceRow = { id: head.id, index, ...sealed };
    await encrypted.write([PIECES], (stores) => stores[PIECES]?.put(row));
  }

  async mark(id: string, intent: Intent): Promise<void> {
    const encrypted = await this.#open();
    const row = await encrypted.read(DRAFTS, (store) => store.get(id) as IDBRequest<Row | undefined>);
    if (row) await encrypted.write([DRAFTS], (stores) => stores[DRAFTS]?.put({ ...row, intent }));
  }

  async drop(id: string): Promise<void> {
    const encrypted = await this.#open();
    await encrypted.write([DRAFTS, PIECES], (stores) => {
      stores[DRAFTS]?.delete(id);
      stores[PIECES]?.delete(IDBKeyRange.bound([id], [id, []]));
    });
    this.#held.get(id)?.();
    this.#held.delete(id);
    this.#some((await this.#rows(encrypted)).length > 0);
  }

  async found(): Promise<readonly KeptDraft[]> {
    const encrypted = await this.#open();
    const rows = await this.#rows(encrypted);
    const found: KeptDraft[] = [];
    for (const row of rows.filter(({ id }) => !this.#held.has(id))) if (await this.#hold(row.id)) found.push(
      await this.#read(encrypted, row)
    );
    this.#some(rows.length > 0);
    return found;
  }

  async wipe(): Promise<void> {
    const encrypted = await this.#open();
    await encrypted.forget(this.#owner);
    for (const { id } of await this.#rows(encrypted)) await this.drop(id);
  }

  /** The drafts of this owner. */
  async #rows(encrypted: EncryptedStore): Promise<readonly Row[]> {
    const rows = await encrypted.read(DRAFTS, (store) => store.getAll() as IDBRequest<Row[]>);
    return rows.filter(({ owner }) => owner === this.#owner);
  }

  /** The pieces from the beginning to the first that is missing or does not open. */
  async #read(encrypted: EncryptedStore, row: Row): Promise<KeptDraft> {
    const rows = await encrypted.read(
      PIECES, (store) => store.getAll(IDBKeyRange.bound([row.id], [row.id, []])) as IDBRequest<PieceRow[]>,
    );
    const pieces: Blob[] = [];
    const levels: number[] = [];
    let ms = 0;
    for (const piece of rows) {
      const open = piece.index === pieces.length && (
        await encrypted.unseal(this.#owner, this.#bound(row, piece.index), piece).catch(() => undefined)
      );
      if (!open) break;
      const { note, bytes } = unframed(open);
      pieces.push(new Blob([bytes], { type: row.mime }));
      levels.push(...note.levels);
      ms = note.ms;
    }
    return { id: row.id, conversation: row.conversation, mime: row.mime, intent: row.intent, pieces, levels, ms };
  }

  #bound({ conversation, id }: DraftHead, index: number): string {
    return [this.#owner, conversation, id, index].join("\n");
  }

  #open(): Promise<EncryptedStore> {
    this.#opened ??= EncryptedStore.open();
    return this.#opened;
  }

  /** A lock that the browser gives back when this page ends, however it ends. False: another page holds it. */
  #hold(id: string): Promise<boolean> {
    if (!navigator.locks) return Promise.resolve(true);
    return new Promise((held, failed) => {
      const asked = navigator.locks.request(`earshot.draft.${id}`, { ifAvailable: true }, (lock) => {
        held(lock !== null);
        return lock && new Promise<void>((done) => this.#held.set(id, done));
      });
      asked.catch(failed);
    });
  }
}

const LENGTH_BYTES = 4;

/** Note and bytes as one: four bytes for the length of the note, the note, the bytes. */
function framed(note: PieceNote, bytes: ArrayBuffer): Uint8Array {
  const words = new TextEncoder().encode(JSON.stringify(note));
  const all = new Uint8Array(LENGTH_BYTES + words.length + bytes.byteLength);
  new DataView(all.buffer).setUint32(0, words.length);
  all.set(words, LENGTH_BYTES);
  all.set(new Uint8Array(bytes), LENGTH_BYTES + words.length);
  return all;
}

function unframed(all: ArrayBuffer): { note: PieceNote; bytes: ArrayBuffer } {
  const end = LENGTH_BYTES + new DataView(all).getUint32(0);
  return {
    note: JSON.parse(new TextDecoder().decode(all.slice(LENGTH_BYTES, end))) as PieceNote, bytes: all.slice(end),
  };
}
