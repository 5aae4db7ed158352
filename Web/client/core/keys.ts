/** Idempotency keys: short, because they travel with every message and its answer. */
import type { Random } from "./ports";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** 62^6 is 5.7e10: a thousand pages of one consumer collide with a chance of 1e-5. */
const PREFIX_LENGTH = 6;

/**
 * Six random characters for this page, then a counter in base 36. Two tabs never share a prefix, so they need no common
 * counter.
 */
export class KeyMaker {
  readonly #prefix: string;
  #counter = 0;

  constructor(random: Random) {
    this.#prefix = Array.from(
      { length: PREFIX_LENGTH }, () => ALPHABET[Math.floor(random() * ALPHABET.length)],
    ).join("");
  }

  next(): string {
    return this.#prefix + (this.#counter++).toString(36);
  }
}

/** 22 characters of base64url (128 random bits), the form of every id that a client makes itself. */
export function newID(random: (bytes: Uint8Array) => Uint8Array = (bytes) => crypto.getRandomValues(bytes)): string {
  const text = String.fromCharCode(...random(new Uint8Array(16)));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").slice(0, 22);
}
