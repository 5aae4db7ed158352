import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Seat } from "../settings-model";
import type { Person } from "./person";
import { staffProblem } from "./routed";

const person = (id: string, more: Partial<Person> = {}): Person => ({ id, name: id, role: "agent", ...more });
const seat = (agent: string, ...skills: readonly string[]): Seat => ({ agent, skills, capacity: 3 });

describe("A skill", () => {
  const none = new Set<string>();

  test("has the people with a seat for it, and agents without a seat", () => {
    assert.equal(staffProblem("tech", [person("dana")], [], none), undefined);
    assert.equal(staffProblem("tech", [person("mira", { role: "manager" })], [seat("mira", "tech")], none), undefined);
    assert.equal(staffProblem("tech", [person("dana")], [seat("dana", "orders")], none), "nobody");
    assert.equal(staffProblem("tech", [person("mira", { role: "manager" })], [], none), "nobody");
  });

  test("has no one who can’t sign in or has not joined yet", () => {
    const people = [person("dana", { disabled: true }), person("eli", { invited: true })];
    assert.equal(staffProblem("tech", people, [], none), "nobody");
  });

  test("says when no one of its people may answer", () => {
    const people = [person("dana"), person("bob")];
    assert.equal(staffProblem("tech", people, [], new Set(["bob"])), undefined);
    assert.equal(staffProblem("tech", people, [], new Set(["bob", "dana"])), "readOnly");
    assert.equal(staffProblem("tech", people, [seat("dana", "orders")], new Set(["bob"])), "readOnly");
  });
});
