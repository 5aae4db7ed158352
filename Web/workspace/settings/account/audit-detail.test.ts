import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { detailText } from "./audit-detail";

const names = {
  person: (id: string) => (id === "k3J" ? "Dana Fields" : undefined),
  consumer: (conversation: string) => (conversation === "c1" ? "Visitor 4DZ9" : undefined),
};

describe("The detail of an audit entry", () => {
  const said = (what: string, detail: string, conversation?: string): string =>
    detailText({ what, detail, conversation }, names);

  test("names the person that was changed", () => {
    assert.equal(said("person.changed", "k3J role=manager"), "Dana Fields role=manager");
    assert.equal(said("person.passwordChanged", "k3J"), "Dana Fields");
    assert.equal(said("person.signedOut", "k3J session k3J"), "Dana Fields session k3J");
  });

  test("names the consumer that was blocked, and the section that was changed", () => {
    assert.equal(said("consumer.blocked", "x9", "c1"), "Visitor 4DZ9");
    assert.equal(said("consumer.signedOut", "x9", "c1"), "Visitor 4DZ9");
    assert.equal(said("centre.changed", "skills v=4"), "Skills v=4");
  });

  test("stays as it is where no name is known, or where it has none", () => {
    assert.equal(said("person.removed", "gone"), "gone");
    assert.equal(said("consumer.unblocked", "x9", "c2"), "x9");
    assert.equal(said("person.signedIn", "session q"), "session q");
    assert.equal(said("app.changed", "k3J"), "k3J");
    assert.equal(said("history.searched", ""), "");
  });
});
