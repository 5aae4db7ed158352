/**
 * Recorders emit bytes as they come: a chunk may end in the middle of an element. This splits them again, so that every
 * piece ends with an element and whatever was stored before a crash is a valid recording. The container is detected by
 * its bytes.
 */

/** Where the last whole element ends, in bytes that begin with one. */
type End = (bytes: Uint8Array) => number;

/** Splits a stream of chunks at the ends of elements. */
export class ContainerSplitter {
  #rest: Uint8Array = new Uint8Array(0);
  #end: End | undefined;

  /** The complete elements of the bytes so far, from where the last call ended. */
  take(bytes: Uint8Array): Uint8Array {
    const all = joined(this.#rest, bytes);
    this.#end ??= containerOf(all);
    const end = this.#end(all);
    this.#rest = all.slice(end);
    return all.subarray(0, end);
  }

  /** What is left when nothing more comes. */
  last(): Uint8Array {
    const rest = this.#rest;
    this.#rest = new Uint8Array(0);
    return rest;
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

const starts = (bytes: Uint8Array, at: number, text: string): boolean => [...text].every(
  (letter, i) => bytes[at + i] === letter.charCodeAt(0)
);

function containerOf(bytes: Uint8Array): End {
  if (starts(bytes, 0, "\x1a\x45\xdf\xa3")) return webmEnd;
  if (starts(bytes, 0, "OggS")) return oggEnd;
  return starts(bytes, 4, "ftyp") ? mp4End : (all) => all.length;
}

/**
 * The largest element that is waited for. Beyond that the container is not as expected, and the bytes are passed on
 * unchanged.
 */
const MOST_BYTES = 4 * 1024 * 1024;

function walk(bytes: Uint8Array, size: (at: number) => number | undefined): number {
  let at = 0;
  for (;;) {
    const length = at < bytes.length ? size(at) : undefined;
    if (length === undefined || at + length > bytes.length) return bytes.length - at > MOST_BYTES ? bytes.length : at;
    at += length;
  }
}

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;

/**
 * EBML. Segment and cluster of a live recording have no size: their heads count as elements, and what is in them
 * follows.
 */
const webmEnd: End = (bytes) =>
  walk(bytes, (at) => {
    const id = variable(bytes, at, true);
    const size = id && variable(bytes, at + id.length, false);
    if (!id || !size) return undefined;
    const head = id.length + size.length;
    return size.unknown && (id.value === SEGMENT || id.value === CLUSTER) ? head : head + size.value;
  });

interface Variable {
  readonly value: number;
  readonly length: number;
  /** All its bits are set: the size is not known. */
  readonly unknown: boolean;
}

/** An EBML number: the first byte gives its length. */
function variable(bytes: Uint8Array, at: number, keepsMark: boolean): Variable | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = keepsMark ? first : first & (0xff >> length);
  for (let i = 1; i < length; i++) value = value * 256 + (bytes[at + i] ?? 0);
  return { value, length, unknown: value === 2 ** (7 * length) - 1 };
}

const OGG_HEAD = 27;

/** Ogg: pages, whose segment table gives their length. */
const oggEnd: End = (bytes) =>
  walk(bytes, (at) => {
    const segments = bytes[at + OGG_HEAD - 1];
    if (segments === undefined || at + OGG_HEAD + segments > bytes.length) return undefined;
    return bytes.subarray(at + OGG_HEAD, at + OGG_HEAD + segments).reduce(
      (sum, part) => sum + part, OGG_HEAD + segments,
    );
  });

/** MP4 in fragments: boxes. A fragment's head (`moof`) is worth nothing without the box after it. */
const mp4End: End = (bytes) => {
  const box = (at: number): number | undefined => {
    const size = at + 8 <= bytes.length ? new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0) : 0;
    return size >= 8 ? size : undefined;
  };
  return walk(bytes, (at) => {
    const size = box(at);
    if (size === undefined || !starts(bytes, at + 4, "moof")) return size;
    const next = box(at + size);
    return next === undefined ? undefined : size + next;
  });
};
