import assert from "node:assert/strict";
import { test } from "node:test";
import { fitted } from "./logo-picture";

test("A picture is whole and in the middle of the logo's square, whatever its shape", () => {
  assert.deepEqual(fitted(400, 400, 128), [0, 0, 128, 128]);
  assert.deepEqual(fitted(400, 100, 128), [0, 48, 128, 32]);
  assert.deepEqual(fitted(100, 400, 128), [48, 0, 32, 128]);
  assert.deepEqual(fitted(16, 8, 128), [0, 32, 128, 64]);
});
