import assert from "node:assert/strict";
import { test } from "node:test";
import { bytesText, conversationIn, parseRetention } from "./retention";

test("a conversation is found in a pasted address, or is the id itself", () => {
  const id = "AbCdEfGhIjKlMnOpQrStUv";
  assert.equal(conversationIn(id), id);
  assert.equal(conversationIn(` ${id}\n`), id);
  assert.equal(conversationIn(`https://chat.example/workspace/#/mine/${id}`), id);
  assert.equal(conversationIn(`https://chat.example/workspace/#/search/${id}/at/17`), id);
  for (const bad of ["", "short", "https://chat.example/#/wall", "../../settings/x", "a b c d e f g h i j"]) {
    assert.equal(conversationIn(bad), undefined, bad);
  }
});

test("the server's answer is read, and unknown entries are skipped", () => {
  const signed = '{"completed":5,"key":"k","kind":"erasure","removed":{"conversations":1,"recordings":2},"run":3}';
  const read = parseRetention({
    days: 396,
    due: { conversations: 2, events: 9, recordings: 1, bytes: 10, oldest: 7 },
    waitsForClock: true,
    holds: [{ conversation: "c", by: "operator", reason: "r", at: 1 }, { reason: "without one" }],
    receipts: [{ signed, signature: "s" }, { signed: "no JSON", signature: "s" }, 7],
  });
  assert.deepEqual(read.due, { conversations: 2, events: 9, recordings: 1, bytes: 10, oldest: 7 });
  assert.deepEqual(read.holds.map((hold) => hold.reason), ["r"]);
  assert.deepEqual(read.receipts, [
    { run: 3, kind: "erasure", completed: 5, conversations: 1, recordings: 2, key: "k", signed, signature: "s" },
  ]);
  assert.equal(read.waitsForClock, true);
  assert.equal(parseRetention({}).due.conversations, 0);
});

test("bytes are shown in the largest unit that fits", () => {
  assert.equal(bytesText(0).startsWith("0"), true);
  assert.equal(bytesText(999).startsWith("999"), true);
  assert.equal(bytesText(5_200_000).startsWith("5"), true);
});
