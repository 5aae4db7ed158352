import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { actionText, authorText, detailText } from "./audit-detail";

const names = {
  person: (id: string) => (id === "k3J" ? "Dana Fields" : undefined),
  profile: (id: string) => (id === "dv9_uki" ? "Reader" : undefined),
  consumer: (conversation: string) => (conversation === "c1" ? "Visitor 4DZ9" : undefined),
};

describe("The detail of an audit entry", () => {
  const said = (what: string, detail: string, conversation?: string): string =>
    detailText({ what, detail, conversation }, names);

  test("names the person that was changed", () => {
    assert.equal(said("person.changed", "k3J role=manager"), "Dana Fields: role Manager");
    assert.equal(said("person.changed", "k3J disabled=true name=Zoë"), "Dana Fields: can’t sign in, name Zoë");
    assert.equal(said("person.passwordChanged", "k3J"), "Dana Fields");
    assert.equal(said("person.signedOut", "k3J session k3J"), "Dana Fields session k3J");
  });

  test("names the consumer that was blocked, and the section that was changed", () => {
    assert.equal(said("consumer.blocked", "x9", "c1"), "Visitor 4DZ9");
    assert.equal(said("consumer.signedOut", "x9", "c1"), "Visitor 4DZ9");
  });

  test("names profiles and groups, not their ids", () => {
    assert.equal(said("person.changed", "k3J profile=dv9_uki"), "Dana Fields: profile Reader");
    assert.equal(said("person.changed", "k3J profile=gone"), "Dana Fields: profile gone");
    assert.equal(said("person.changed", "k3J profile=built-in"), "Dana Fields: built-in profile");
    const made = "made dv9_uki conversations.all,conversations.read Night readers";
    assert.equal(said("profile.changed", made), "Night readers (created)");
    assert.equal(said("group.changed", "changed g1 skills: 2, people: 3 Team north"), "Team north (changed)");
  });

  test("says which section was changed, and its version", () => {
    assert.deepEqual(
      ["survey v=10", "survey v=11 undoes=10", "unknown v=2"].map((detail) => [
        actionText({ what: "centre.changed", detail, conversation: undefined }),
        said("centre.changed", detail),
      ]),
      [
        ["Changed Survey", "Version 10"],
        ["Changed Survey", "Version 11, undoes version 10"],
        ["Changed the settings", "Version 2"],
      ],
    );
    assert.equal(actionText({ what: "person.signedIn", detail: "", conversation: undefined }), "Signed in");
  });

  test("names the program by its key, and everyone else as before", () => {
    const who = (by: string, what: string, detail: string): string =>
      authorText({ by, what, detail, conversation: undefined }, names);
    assert.equal(who("q81", "history.searched", "Night report"), "API key Night report");
    assert.equal(who("q81", "audio.downloaded", "mp3 Night report"), "API key Night report");
    assert.deepEqual(
      [who("k3J", "history.searched", ""), who("earshot", "history.read", ""), who("gone", "person.signedIn", "x")],
      ["Dana Fields", "Earshot", "gone"],
    );
  });

  test("stays as it is where no name is known, or where it has none", () => {
    assert.equal(said("person.removed", "gone"), "gone");
    assert.equal(said("consumer.unblocked", "x9", "c2"), "x9");
    assert.equal(said("person.signedIn", "session q"), "session q");
    assert.equal(said("app.changed", "k3J"), "k3J");
    assert.equal(said("history.searched", ""), "");
  });
});
