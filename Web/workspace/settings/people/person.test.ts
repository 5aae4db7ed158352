import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HTTPProblem } from "../../../client/core/api";
import type { Json } from "../../../client/core/parse";
import { ManualClock } from "../../../test/support/support";
import { SettingsEditor } from "../settings-editor";
import { endsSession, inversePatch, patchOf, type Person, personOf } from "./person";
import { settingsTexts } from "../../i18n/settings-texts";

const DANA: Person = { id: "d", name: "Dana", role: "agent", email: "dana@tulip.example" };
const OFF: Person = { ...DANA, disabled: true };
const FORM = { name: "Dana", role: "agent", disabled: false, profile: "built-in" };

/** A server that knows two people, and what was asked of it. */
class Rig {
  people: readonly Person[] = [DANA, { id: "m", name: "Mira", role: "manager" }];
  readonly asked: [string, string, unknown][] = [];
  refuse: HTTPProblem | undefined;

  async ask(method: string, path: string, body?: object): Promise<Json> {
    this.asked.push([method, path, body]);
    if (path === "/v1/centre") return { v: 1 };
    if (path === "/v1/settings") return { audio: {} };
    if (method === "PATCH" && this.refuse) throw this.refuse;
    if (method !== "PATCH") return { agents: this.people };
    return { agent: { ...this.people.find(({ id }) => path.endsWith(`/${id}`)), disabled: false, ...body } };
  }

  async editor(): Promise<SettingsEditor> {
    const editor = new SettingsEditor((method, path, body) => this.ask(method, path, body), {
      load: () => null,
      save: () => {},
    }, new ManualClock());
    await editor.load();
    return editor;
  }
}

describe("A person as a manager changes them", () => {
  test("is refused with a word for every code that the server knows", async () => {
    const codes = ["not_found", "forbidden", "last_administrator", "bad_request", "csrf", "not_signed_in"];
    for (const code of [...codes, "rate_limited"]) {
      const rig = new Rig();
      const editor = await rig.editor();
      rig.refuse = new HTTPProblem(400, code, "");
      assert.equal(await editor.changePerson("d", { role: "manager" }), code);
      assert.deepEqual([settingsTexts.person.refused[code] === undefined, editor.store.get().people], [
        false,
        rig.people,
      ]);
    }
  });

  test("a person who no longer exists is not in the table either", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    rig.refuse = new HTTPProblem(404, "not_found", "");
    rig.people = rig.people.slice(1);
    assert.equal(await editor.changePerson("d", { name: "Dina" }), "not_found");
    assert.deepEqual(editor.store.get().people.map(({ id }) => id), ["m"]);
  });

  test("is told of a server that does not answer, and of one whose answer is not ours", async () => {
    const editor = await new Rig().editor();
    const broken = new SettingsEditor(async () => Promise.reject(new TypeError("offline")), {
      load: () => null,
      save: () => {},
    }, new ManualClock());
    assert.equal(await broken.changePerson("d", { name: "Dina" }), "network");
    assert.deepEqual([editor.store.get().people[0], personOf({ name: "Dana" }), personOf(undefined)], [
      DANA,
      undefined,
      undefined,
    ]);
  });

  test("is what the server answers, from then on", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    assert.equal(await editor.changePerson("d", { disabled: true }), undefined);
    assert.deepEqual(rig.asked[rig.asked.length - 1], ["PATCH", "/v1/agents/d", { disabled: true }]);
    assert.deepEqual(editor.store.get().people[0], OFF);
    assert.equal(await editor.changePerson("d", { disabled: false }), undefined);
    assert.deepEqual(editor.store.get().people[0], DANA);
  });

  test("is asked for again without losing who was known", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    rig.people = [OFF];
    await editor.reloadPeople();
    assert.deepEqual(editor.store.get().people, [OFF]);
    rig.ask = async () => Promise.reject(new TypeError("offline"));
    await editor.reloadPeople();
    assert.deepEqual(editor.store.get().people, [OFF]);
  });
});

describe("A change of a person", () => {
  test("is only what differs, and space around a name is no difference", () => {
    assert.deepEqual(patchOf(DANA, { ...FORM, name: "  Dana " }), {});
    assert.deepEqual(patchOf(DANA, { ...FORM, name: " Dina", role: "manager", disabled: true }), {
      name: "Dina",
      role: "manager",
      disabled: true,
    });
    assert.deepEqual([patchOf(OFF, { ...FORM, disabled: true }), patchOf(OFF, FORM)], [{}, { disabled: false }]);
  });

  test("leads back to what was before, and touches nothing else", () => {
    assert.deepEqual(inversePatch(DANA, { disabled: true }), { disabled: false });
    assert.deepEqual(inversePatch(OFF, { disabled: false, name: "Dina" }), { disabled: true, name: "Dana" });
    assert.deepEqual(inversePatch(DANA, { role: "manager" }), { role: "agent" });
    assert.deepEqual(patchOf(DANA, { ...FORM, profile: "p" }), { profile: "p" });
    assert.deepEqual(patchOf({ ...DANA, profile: "p" }, FORM), { profile: "built-in" });
    assert.deepEqual(inversePatch({ ...DANA, profile: "p" }, { profile: "built-in" }), { profile: "p" });
  });

  test("signs out by another role and by switching off, and nobody who could not sign in", () => {
    assert.deepEqual(
      [{ role: "manager" }, { disabled: true }, { name: "Dina" }, { disabled: false }, {}].map((patch) =>
        endsSession(DANA, patch)
      ),
      [true, true, false, false, false],
    );
    assert.deepEqual([{ role: "manager" }, { disabled: false }].map((patch) => endsSession(OFF, patch)), [
      false,
      false,
    ]);
  });
});
