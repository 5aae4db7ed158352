/** The few parts of Node that tests use; Debian has no types for it. */
declare module "node:test" {
  export function test(name: string, run: () => void | Promise<void>): void;
  export function describe(name: string, run: () => void): void;
}
declare module "node:assert/strict" {
  interface Assert {
    (value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    rejects(run: Promise<unknown>, check?: (error: unknown) => boolean): Promise<void>;
  }
  const assert: Assert;
  export default assert;
}
declare module "node:crypto" {
  interface Hash {
    update(text: string): Hash;
    digest(encoding: "base64"): string;
  }
  export function createHash(name: "sha256"): Hash;
}
declare module "node:fs" {
  export function existsSync(path: string): boolean;
  export function readdirSync(path: string, options?: { readonly recursive: true }): string[];
  export function readFileSync(path: string, encoding: "utf8"): string;
}
declare module "node:path" {
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
  export function relative(from: string, to: string): string;
}
declare const process: { env: Record<string, string | undefined> };
