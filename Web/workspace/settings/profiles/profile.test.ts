import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { groupOf, nameProblems, profileOf, withPermission } from "./profile";

describe("A profile", () => {
  test("is read from the server's answer, and nothing else is", () => {
    const profile = { id: "p", name: "Night", permissions: ["history.search", 5], builtIn: true };
    assert.deepEqual(profileOf(profile), { ...profile, permissions: ["history.search"] });
    assert.deepEqual(groupOf({ id: "g", name: "North" }), { id: "g", name: "North", skills: [], people: [] });
    for (const wrong of [undefined, null, 5, {}, { id: "p" }, { name: "Night" }]) {
      assert.equal(profileOf(wrong), undefined);
      assert.equal(groupOf(wrong), undefined);
    }
  });

  test("has the audit log only with all conversations", () => {
    assert.deepEqual(withPermission(["conversations.all"], "audit.read", true), ["conversations.all", "audit.read"]);
    assert.deepEqual(withPermission(["conversations.all", "audit.read"], "conversations.all", false), []);
    assert.deepEqual(withPermission([], "audit.read", true), []);
    assert.deepEqual(withPermission(["history.search"], "history.search", false), []);
  });

  test("has a name of 1 to 60 characters", () => {
    const wrong = ["", "  ", "ü".repeat(61)];
    assert.deepEqual(wrong.map((name) => nameProblems(name).length), [1, 1, 1]);
    const right = ["a", "ü".repeat(59), "ü".repeat(60)];
    assert.deepEqual(right.map((name) => nameProblems(name).length), [0, 0, 0]);
  });
});
