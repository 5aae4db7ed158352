import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { KeyMaker } from "../../client/core/keys";
import { entryFrame, Outbox } from "../../client/core/outbox";
import { MemoryStore } from "../../client/core/ports";
import { seeded } from "../support/support";

const hi = { kind: "text", text: "Hi" } as const;

describe("The outbox", () => {
  test("has an entry on disk before anyone can send it", () => {
    const storage = new MemoryStore();
    new Outbox(storage, "p.").add("k0", hi, 5);
    assert.deepEqual(storage.keys(), ["p.k0"]);
  });

  test("survives a reload, in order, and sends the same keys", () => {
    const storage = new MemoryStore();
    const before = new Outbox(storage, "p.");
    for (const [i, key] of ["zz", "aa", "mm"].entries()) before.add(key, { kind: "text", text: String(i) }, 5);
    before.wentOut("zz", 9);
    const after = new Outbox(storage, "p.");
    assert.deepEqual(after.unanswered().map((entry) => entryFrame(entry)), [
      '{"send":"zz","text":"0"}',
      '{"send":"aa","text":"1"}',
      '{"send":"mm","text":"2"}',
    ]);
    assert.equal(after.unanswered()[0]?.sentAfter, 9);
    assert.equal(after.add("next", hi, 5).order, 3);
  });

  test("forgets what was accepted, here and on disk", () => {
    const storage = new MemoryStore();
    const outbox = new Outbox(storage, "p.");
    outbox.add("k0", hi, 5);
    assert.equal(outbox.accepted("k0")?.key, "k0");
    assert.equal(outbox.accepted("k0"), undefined);
    assert.deepEqual(storage.keys(), []);
  });

  test("keeps what was refused for a person, and says it again under a new key", () => {
    const outbox = new Outbox(new MemoryStore(), "p.");
    outbox.add("k0", hi, 5);
    outbox.refused("k0", "text_too_long", "Too long.");
    assert.deepEqual(outbox.unanswered(), []);
    assert.equal(outbox.retry("k0", "k1", 6)?.key, "k1");
    assert.deepEqual(outbox.all().map((entry) => entry.key), ["k1"]);
  });

  test("does not mix conversations, and skips what it cannot read", () => {
    const storage = new MemoryStore();
    new Outbox(storage, "a.").add("k0", hi, 5);
    storage.set("b.x", "{broken");
    storage.set("b.y", '{"key":"y","command":{"kind":"dance"}}');
    assert.deepEqual(new Outbox(storage, "b.").all(), []);
  });

  test("goes on in memory when storage is full", () => {
    const storage = new MemoryStore();
    storage.set = () => {
      throw new Error("QuotaExceededError");
    };
    const outbox = new Outbox(storage, "p.");
    outbox.add("k0", hi, 5);
    assert.equal(outbox.unanswered().length, 1);
  });
});

describe("Keys", () => {
  test("are short, of the allowed form, and never the same", () => {
    const random = seeded(1);
    const [one, two] = [new KeyMaker(random), new KeyMaker(random)];
    const keys = Array.from({ length: 2000 }, (_, i) => (i % 2 ? one : two).next());
    assert.equal(new Set(keys).size, 2000);
    assert.equal(keys.every((key) => /^[A-Za-z0-9_-]{7,9}$/.test(key)), true);
  });
});
