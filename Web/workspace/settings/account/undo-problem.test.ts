import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { undoProblem } from "./undo-problem";

const names = {
  skill: (id: string) => id,
  hours: (id: string) => id,
  agent: (id: string) => (id === "k3J" ? "Dana Fields" : id),
};
const rules = [{ id: "a", name: "Returns", skill: "general" }, { id: "b", name: "Wholesale", skill: "trade" }];
const people = [{ agent: "k3J", skills: ["general", "trade"] }];

describe("A change that can’t be undone", () => {
  const said = (code: string, at: string | undefined, value: unknown): string =>
    undoProblem({ code, body: at === undefined ? {} : { at } }, value, names);

  test("names the skill that is missing, and what uses it", () => {
    assert.equal(
      said("unknown_skill", "rules[1].skill", rules),
      "“Wholesale” uses the skill “trade”, which no longer exists. Add it again first.",
    );
    assert.equal(
      said("unknown_skill", "people[0].skills[1]", people),
      "“Dana Fields” uses the skill “trade”, which no longer exists. Add it again first.",
    );
  });

  test("stays plain where the server does not say where", () => {
    assert.equal(said("unknown_skill", undefined, rules), "A skill used here no longer exists.");
    assert.equal(said("unknown_skill", "rules[7].skill", rules), "A skill used here no longer exists.");
    assert.equal(said("stale", undefined, rules), "There is a newer change. Undo that one first.");
    assert.equal(said("unheard_of", undefined, rules), "The server rejected the change. Your changes are kept here.");
  });
});
