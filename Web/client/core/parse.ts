/**
 * Readers for untrusted JSON that is no frame: answers of HTTP routes and what the device stored. Each returns
 * `undefined` for what it cannot use and never throws.
 */

/** A JSON object, before anything is known about it. */
export type Json = Record<string, unknown>;

export const isObject = (v: unknown): v is Json => typeof v === "object" && v !== null && !Array.isArray(v);
export const string = (v: unknown): string | undefined => (typeof v === "string" ? v : undefined);
export const number = (v: unknown): number | undefined => (typeof v === "number" && Number.isFinite(v) ? v : undefined);

/** Every element that `read` can use; the others are left out. */
export function list<T>(v: unknown, read: (item: unknown) => T | undefined): T[] {
  if (!Array.isArray(v)) return [];
  return v.map(read).filter((item): item is T => item !== undefined);
}

/** Leaves keys with no value away, so that optional properties are absent and not `undefined`. */
export function compact<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined)) as T;
}
