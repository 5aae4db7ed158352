import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HTTPProblem } from "../../client/core/api";
import type { Json } from "../../client/core/parse";
import { Book } from "../settings/settings-editor";
import { CAPACITY, newSkill, SILENCE, SURVEY, type Centre } from "../settings/settings-model";

const CENTRE: Centre = {
  v: 7, skills: [{ ...newSkill("general", "General"), default: true }], people: [], hours: [], rules: [], capacity: CAPACITY, silence: SILENCE, automatic: [],
  canned: [], wrapUp: { dispositions: [], tags: [], attributes: [] }, survey: SURVEY,
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

  async book(): Promise<Book> {
    const book = new Book((method, path, body) => this.ask(method, path, body), { load: () => this.kept, save: (text) => (this.kept = text) });
    await book.load();
    return book;
  }
}

const QUESTION = { ...SURVEY, question: "How was it?" };

describe("The settings as one works on them", () => {
  test("are saved section by section, with the version that was seen", async () => {
    const rig = new Rig();
    const book = await rig.book();
    book.change("survey", QUESTION);
    assert.equal(await book.save("survey"), true);
    assert.deepEqual(rig.asked[rig.asked.length - 1], ["PUT", "/v1/centre/survey", { v: 7, value: QUESTION }]);
    assert.deepEqual([book.store.get().drafts, book.store.get().undoable], [{}, { part: "survey", v: 8 }]);
  });

  test("are no draft any more once they are as they were", async () => {
    const book = await new Rig().book();
    book.change("survey", QUESTION);
    book.change("survey", { ...SURVEY });
    assert.deepEqual(book.store.get().drafts, {});
  });

  test("keep their drafts over a reload, and forget them when told to", async () => {
    const rig = new Rig();
    (await rig.book()).change("survey", QUESTION);
    const again = await rig.book();
    assert.equal(again.value("survey").question, "How was it?");
    again.discard("survey");
    assert.equal((await rig.book()).value("survey").question, SURVEY.question);
    rig.kept = "{ not json";
    assert.deepEqual((await rig.book()).store.get().drafts, {});
  });

  test("say that somebody else changed the same section, and leave the choice", async () => {
    const rig = new Rig();
    const book = await rig.book();
    book.change("survey", QUESTION);
    rig.centre = { ...CENTRE, v: 8, survey: { ...SURVEY, nps: true } };
    rig.refuse = new HTTPProblem(409, "stale", "");
    assert.equal(await book.save("survey"), false);
    assert.deepEqual([book.isStale("survey"), book.store.get().refused?.code, book.value("survey").question], [true, "stale", "How was it?"]);
    rig.refuse = undefined;
    assert.equal(await book.save("survey", true), true);
    assert.deepEqual(rig.asked[rig.asked.length - 1]?.[2], { v: 8, value: QUESTION });
  });

  test("see it too when the socket says it, and only for the section that changed", async () => {
    const rig = new Rig();
    const book = await rig.book();
    book.change("survey", QUESTION);
    book.change("silence", { ...SILENCE, transferSeconds: 60 });
    rig.centre = { ...CENTRE, v: 8, survey: { ...SURVEY, nps: true } };
    await book.played(8);
    assert.deepEqual([book.isStale("survey"), book.isStale("silence")], [true, false]);
    const asked = rig.asked.length;
    await book.played(8);
    assert.equal(rig.asked.length, asked);
  });

  test("lose nothing when the server says no", async () => {
    const rig = new Rig();
    const book = await rig.book();
    book.change("survey", QUESTION);
    rig.refuse = new HTTPProblem(422, "out_of_range", "The question is too long.");
    assert.equal(await book.save("survey"), false);
    assert.deepEqual([book.store.get().refused?.text, book.value("survey")], ["The question is too long.", QUESTION]);
  });

  test("name what is wrong only with what was changed", async () => {
    const book = await new Rig().book();
    assert.deepEqual(book.problems("survey"), []);
    book.change("survey", { ...SURVEY, question: "" });
    assert.deepEqual(book.problems("survey").map(({ at }) => at), ["question"]);
  });

  test("are taken back by their revision, and a refusal is told by its code", async () => {
    const rig = new Rig();
    const book = await rig.book();
    assert.equal(await book.undo(7), undefined);
    assert.deepEqual(rig.asked[rig.asked.length - 1], ["POST", "/v1/centre/undo", { v: 7 }]);
    rig.refuse = new HTTPProblem(409, "stale", "");
    assert.equal(await book.undo(7), "stale");
  });
});
