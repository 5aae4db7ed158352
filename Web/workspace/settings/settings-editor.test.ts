import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HTTPProblem } from "../../client/core/api";
import type { Json } from "../../client/core/parse";
import { SettingsEditor } from "./settings-editor";
import { CAPACITY, type Centre, newSkill, SILENCE, SURVEY } from "./settings-model";

const CENTRE: Centre = {
  v: 7,
  skills: [{ ...newSkill("general", "General"), default: true }],
  people: [],
  hours: [],
  rules: [],
  capacity: CAPACITY,
  silence: SILENCE,
  automatic: [],
  canned: [],
  wrapUp: { dispositions: [], tags: [], attributes: [] },
  survey: SURVEY,
};

/** A server with one centre, and what was asked of it. */
class Rig {
  centre: Centre = CENTRE;
  readonly asked: [string, string, unknown][] = [];
  refuse: HTTPProblem | undefined;
  kept: string | null = null;

  async ask(method: string, path: string, body?: object): Promise<Json> {
    this.asked.push([method, path, body]);
    if (path === "/v1/settings") return { v: 1, audio: { maxSeconds: 120, keep: 20 } };
    if (path === "/v1/agents") return { agents: [{ id: "a", name: "Dana", role: "agent" }] };
    if (method !== "GET" && this.refuse) throw this.refuse;
    if (method === "PUT") {
      const section = path.slice("/v1/centre/".length);
      this.centre = { ...this.centre, [section]: (body as { value: unknown }).value, v: this.centre.v + 1 };
    }
    return this.centre as unknown as Json;
  }

  async editor(): Promise<SettingsEditor> {
    const editor = new SettingsEditor((method, path, body) => this.ask(method, path, body), {
      load: () => this.kept,
      save: (text) => (this.kept = text),
    });
    await editor.load();
    return editor;
  }
}

const QUESTION = { ...SURVEY, question: "How was it?" };

describe("The settings as one works on them", () => {
  test("are saved section by section, with the version that was seen", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    editor.change("survey", QUESTION);
    assert.equal(await editor.save("survey"), true);
    assert.deepEqual(rig.asked[rig.asked.length - 1], ["PUT", "/v1/centre/survey", { v: 7, value: QUESTION }]);
    assert.deepEqual([editor.store.get().drafts, editor.store.get().undoable], [{}, { part: "survey", v: 8 }]);
  });

  test("are no longer a draft once they are back to what they were", async () => {
    const editor = await new Rig().editor();
    editor.change("survey", QUESTION);
    editor.change("survey", { ...SURVEY });
    assert.deepEqual(editor.store.get().drafts, {});
  });

  test("keep their drafts over a reload, and forget them when told to", async () => {
    const rig = new Rig();
    (await rig.editor()).change("survey", QUESTION);
    const again = await rig.editor();
    assert.equal(again.value("survey").question, "How was it?");
    again.discard("survey");
    assert.equal((await rig.editor()).value("survey").question, SURVEY.question);
    rig.kept = "{ not json";
    assert.deepEqual((await rig.editor()).store.get().drafts, {});
  });

  test("say that somebody else changed the same section, and leave the choice", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    editor.change("survey", QUESTION);
    rig.centre = { ...CENTRE, v: 8, survey: { ...SURVEY, nps: true } };
    rig.refuse = new HTTPProblem(409, "stale", "");
    assert.equal(await editor.save("survey"), false);
    assert.deepEqual([editor.isStale("survey"), editor.store.get().refused?.code, editor.value("survey").question], [
      true,
      "stale",
      "How was it?",
    ]);
    rig.refuse = undefined;
    assert.equal(await editor.save("survey", true), true);
    assert.deepEqual(rig.asked[rig.asked.length - 1]?.[2], { v: 8, value: QUESTION });
  });

  test("see it too when the socket says it, and only for the section that changed", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    editor.change("survey", QUESTION);
    editor.change("silence", { ...SILENCE, transferSeconds: 60 });
    rig.centre = { ...CENTRE, v: 8, survey: { ...SURVEY, nps: true } };
    await editor.loadVersion(8);
    assert.deepEqual([editor.isStale("survey"), editor.isStale("silence")], [true, false]);
    const asked = rig.asked.length;
    await editor.loadVersion(8);
    assert.equal(rig.asked.length, asked);
  });

  test("lose nothing when the server says no", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    editor.change("survey", QUESTION);
    rig.refuse = new HTTPProblem(422, "out_of_range", "The question is too long.");
    assert.equal(await editor.save("survey"), false);
    assert.deepEqual([editor.store.get().refused?.text, editor.value("survey")], [
      "The question is too long.",
      QUESTION,
    ]);
  });

  test("name what is wrong only with what was changed", async () => {
    const editor = await new Rig().editor();
    assert.deepEqual(editor.problems("survey"), []);
    editor.change("survey", { ...SURVEY, question: "" });
    assert.deepEqual(editor.problems("survey").map(({ at }) => at), ["question"]);
  });

  test("are taken back by their revision, and a refusal is told by its code", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    assert.equal(await editor.undo(7), undefined);
    assert.deepEqual(rig.asked[rig.asked.length - 1], ["POST", "/v1/centre/undo", { v: 7 }]);
    rig.refuse = new HTTPProblem(409, "stale", "");
    assert.equal(await editor.undo(7), "stale");
  });
});
