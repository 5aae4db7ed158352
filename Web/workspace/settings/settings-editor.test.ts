import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HTTPProblem } from "../../client/core/api";
import type { Json } from "../../client/core/parse";
import { ManualClock, settle } from "../../test/support/support";
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
const AT_QUESTION = { at: "survey.question" };

class Rig {
  centre: Centre = CENTRE;
  readonly asked: [string, string, unknown][] = [];
  refuse: HTTPProblem | undefined;
  kept: string | null = null;
  readonly clock = new ManualClock();
  /** The answers to checks wait here where a test wants to give them itself. */
  held: ((refusal?: HTTPProblem) => void)[] | undefined;

  async ask(method: string, path: string, body?: object): Promise<Json> {
    this.asked.push([method, path, body]);
    if (path === "/v1/settings")
      return { v: 1, audio: { maxSeconds: 120, keep: 20 }, history: { days: 0, closed: true } };
    if (path === "/v1/agents") return { agents: [{ id: "a", name: "Dana", role: "agent" }] };
    if (this.held && path.endsWith("?validate=1")) {
      const refusal = await new Promise<HTTPProblem | undefined>((answer) => this.held?.push(answer));
      if (refusal) throw refusal;
      return {};
    }
    if (method !== "GET" && this.refuse) throw this.refuse;
    if (path.endsWith("?validate=1")) return {};
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
    }, this.clock);
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
    assert.deepEqual([editor.store.get().drafts, editor.store.get().saved], [{}, { part: "survey", v: 8 }]);
  });

  test("are told to be saved, with an undo only where there is a version to go back to", async () => {
    const editor = await new Rig().editor();
    const { voice } = editor.store.get().messages ?? {};
    assert.equal(voice === undefined, false);
    editor.change("voice", { ...editor.value("voice"), keep: 10 });
    assert.equal(await editor.save("voice"), true);
    assert.deepEqual(editor.store.get().saved, { part: "voice", v: undefined });
    editor.change("survey", QUESTION);
    assert.equal(editor.store.get().saved, undefined);
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
    rig.refuse = new HTTPProblem(413, "too_large", "These settings are too long.");
    assert.equal(await editor.save("survey"), false);
    assert.deepEqual([editor.store.get().refused?.text, editor.value("survey")], [
      "These settings are too long.",
      QUESTION,
    ]);
  });

  test("are checked by the server a moment after the last key, and nothing is stored", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    assert.deepEqual(editor.problems("survey"), []);
    rig.refuse = new HTTPProblem(422, "out_of_range", "survey.question: it has 1 to 200 characters.", {
      at: "survey.question",
      limit: 1,
    });
    const before = rig.asked.length;
    for (const question of ["H", ""]) editor.change("survey", { ...SURVEY, question });
    await rig.clock.advance(399);
    assert.equal(rig.asked.length, before);
    await rig.clock.advance(1);
    await settle();
    assert.deepEqual(rig.asked.slice(before), [
      ["PUT", "/v1/centre/survey?validate=1", { v: 7, value: { ...SURVEY, question: "" } }],
    ]);
    assert.deepEqual(editor.problems("survey").map(({ at, text }) => [at, text]), [["question", "This is required."]]);
    assert.equal(editor.store.get().refused, undefined);
    editor.discard("survey");
    assert.deepEqual(editor.problems("survey"), []);
  });

  test("ignore an answer that a newer check overtook", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    rig.held = [];
    for (const question of ["", "How was it?"]) {
      editor.change("survey", { ...SURVEY, question });
      await rig.clock.advance(400);
    }
    const [old, newest] = rig.held;
    newest?.();
    await settle();
    old?.(new HTTPProblem(422, "bad_request", "survey.question: it is empty.", AT_QUESTION));
    await settle();
    assert.deepEqual([rig.held.length, editor.problems("survey")], [2, []]);
  });

  test("can be saved although a check found no connection: then the server decides", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    rig.refuse = new HTTPProblem(0, "network", "");
    editor.change("survey", QUESTION);
    assert.deepEqual(await editor.validateSection("survey"), []);
    assert.equal(await editor.save("survey"), false);
    assert.equal(editor.store.get().refused?.code, "network");
    rig.refuse = new HTTPProblem(422, "bad_request", "survey.question: it is silly.", AT_QUESTION);
    assert.equal(await editor.save("survey"), false);
    assert.deepEqual(
      [editor.problems("survey").map(({ at, text }) => [at, text]), editor.store.get().refused],
      [[["question", "It is silly."]], undefined],
    );
  });

  test("are not sent while a field for a number holds something else", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    editor.change("survey", { ...SURVEY, openSeconds: NaN });
    const asked = rig.asked.length;
    await rig.clock.advance(400);
    assert.deepEqual([await editor.save("survey"), rig.asked.length - asked], [false, 0]);
    assert.deepEqual(editor.problems("survey").map(({ at }) => at), ["openSeconds"]);
  });

  test("are taken back by their revision, and a refusal is told by its code", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    assert.equal(await editor.undo(7), undefined);
    assert.deepEqual(rig.asked[rig.asked.length - 1], ["POST", "/v1/centre/undo", { v: 7 }]);
    rig.refuse = new HTTPProblem(409, "stale", "");
    assert.equal((await editor.undo(7))?.code, "stale");
  });

  test("say nothing about a new item until it is left or saved", async () => {
    const rig = new Rig();
    const editor = await rig.editor();
    rig.refuse = new HTTPProblem(422, "bad_request", "hours[0].name: is empty", { at: "hours[0].name" });
    editor.fillIn("hours");
    editor.change("hours", [{ id: "hours", name: "", zone: "UTC", week: [], holidays: [] }]);
    rig.held = [];
    await rig.clock.advance(400);
    rig.held[0]?.(rig.refuse);
    await settle();
    assert.deepEqual(editor.problems("hours"), [], "it is being filled in");
    editor.fillIn(undefined);
    assert.deepEqual(editor.problems("hours").map(({ at }) => at), ["hours.name"]);
    editor.fillIn("hours");
    assert.equal(await editor.save("hours"), false);
    assert.deepEqual(editor.problems("hours").map(({ at }) => at), ["hours.name"], "saving shows them, too");
  });
});
