import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { noteCommand, type PendingTransfers, pendingTransfers, type TransferEvent } from "./voice-notes";

const after = (...events: TransferEvent[]): PendingTransfers => events.reduce(pendingTransfers, {});
const prepared = { kind: "prepared", c: "c1", transfer: { skill: "orders" } } as const;

describe("A recorded private note", () => {
  test("becomes a note in its conversation", () => {
    assert.deepEqual(noteCommand(after(), "c1", "m1"), { note: { audio: "m1" } });
  });

  test("goes along with the transfer that waits for it", () => {
    assert.deepEqual(noteCommand(after(prepared), "c1", "m1"), { transfer: { skill: "orders", audio: "m1" } });
  });

  test("stays a note in any other conversation", () => {
    assert.deepEqual(noteCommand(after(prepared), "c2", "m1"), { note: { audio: "m1" } });
  });

  test("is a note again after the transfer was cancelled", () => {
    const pending = after(prepared, { kind: "withdrawn", c: "c1" });
    assert.deepEqual(noteCommand(pending, "c1", "m1"), { note: { audio: "m1" } });
  });

  test("still goes along after the dialog of a submitted transfer has closed", () => {
    const pending = after(prepared, { kind: "submitted", c: "c1" }, { kind: "withdrawn", c: "c1" });
    assert.deepEqual(noteCommand(pending, "c1", "m1"), { transfer: { skill: "orders", audio: "m1" } });
  });

  test("goes along once", () => {
    assert.deepEqual(after(prepared, { kind: "submitted", c: "c1" }, { kind: "recorded", c: "c1" }), {});
  });
});
