import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { PERMISSIONS } from "../../../protocol/permissions";
import { CUSTOM, groupOf, nameProblems, namesOf, profileOf, withPermission } from "./profile";

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

  test("gets what a permission needs with it, and loses what needs it", () => {
    const on = withPermission(["conversations.read"], "seats.change", true);
    assert.deepEqual(on.held, ["conversations.read", "conversations.all", "settings.change", "seats.change"]);
    assert.deepEqual(on.also.map(({ id }) => id), ["conversations.all", "settings.change"]);
    const off = withPermission(on.held, "conversations.all", false);
    assert.deepEqual(off.held, ["conversations.read"]);
    assert.deepEqual(off.also.map(({ id }) => id), ["settings.change", "seats.change"]);
    const alone = withPermission(["history.search"], "history.search", false);
    assert.deepEqual([alone.held, alone.also], [[], []]);
  });

  test("never has a permission without what it needs, whatever was switched before", () => {
    for (const one of CUSTOM) {
      const { held } = withPermission([], one.id, true);
      for (const { id, needs } of PERMISSIONS) {
        if (held.includes(id)) assert(needs.every((need) => held.includes(need)), `${one.id}: ${id}`);
      }
      const all = CUSTOM.map(({ id }) => id);
      const rest = withPermission(all, one.id, false).held;
      for (const { id, needs } of PERMISSIONS) {
        if (rest.includes(id)) assert(needs.every((need) => rest.includes(need)), `without ${one.id}: ${id}`);
      }
    }
  });

  test("is offered nothing that only a built-in profile may have, and names what it includes", () => {
    const offered = CUSTOM.map(({ id }) => id);
    assert(!offered.some((id) => ["people.change", "keys.manage", "identityProvider.change"].includes(id)));
    assert.deepEqual(namesOf(["wall.read", "conversations.read", "newer"]), ["Read conversations", "See the wall"]);
  });

  test("has a name of 1 to 60 characters", () => {
    const wrong = ["", "  ", "ü".repeat(61)];
    assert.deepEqual(wrong.map((name) => nameProblems(name).length), [1, 1, 1]);
    const right = ["a", "ü".repeat(59), "ü".repeat(60)];
    assert.deepEqual(right.map((name) => nameProblems(name).length), [0, 0, 0]);
  });
});
