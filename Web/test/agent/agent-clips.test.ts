import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  attached, attachedClip, clipAfterEdit, clipDraft, copyClip, type Selected,
} from "../../client/agent/canned-replies/clips";
import { HTTPProblem } from "../../client/core/api";

const CLIP = { draft: "d1", media: "m1", ms: 4200 };

describe("A clip that goes out with a reply", () => {
  test("is kept with the draft that names its copy, and read back", () => {
    assert.deepEqual(attachedClip(attached(CLIP, "d1")), CLIP);
    assert.deepEqual(attachedClip(attached({ ...CLIP, from: 3, to: 9 }, "d1")), { ...CLIP, from: 3, to: 9 });
    assert.notEqual(attachedClip(attached(CLIP))?.draft, attachedClip(attached(CLIP))?.draft);
    assert.notEqual(clipDraft("c"), "c");
  });

  test("is none where something else was kept", () => {
    const strange = ["", "d1", "d1 m1", "d1 m1 x", "d1 m1 -4", "d1  42", "d1 m1 42 more", "d1 m1 42 0", "d1 m1 42 0 x"];
    for (const kept of [undefined, ...strange, "d1 m1 42 0 1 2"]) assert.equal(attachedClip(kept), undefined, kept);
  });

  test("is asked for as a recording of its conversation, under its own draft each time", async () => {
    const asked: unknown[] = [];
    const fetch = (url: string, init?: RequestInit): Promise<Response> => {
      asked.push([url, init?.method, JSON.parse(String(init?.body)), new Headers(init?.headers).get("x-earshot-csrf")]);
      return Promise.resolve(new Response(JSON.stringify({ media: "copy", ms: 4200, wave: [1, 200], bytes: 9 })));
    };
    const audio = await copyClip(fetch, { "x-earshot-csrf": "k" }, CLIP, "c 1");
    assert.deepEqual(audio, { media: "copy", ms: 4200, wave: [1, 100], bytes: 9 });
    await copyClip(fetch, { "x-earshot-csrf": "k" }, CLIP, "c 1");
    const ask = ["/v1/clips/m1/copies", "POST", { conversation: "c 1", draft: "d1" }, "k"];
    assert.deepEqual(asked, [ask, ask]);
  });

  test("is not taken for said where the server says no, or nothing that is a recording", async () => {
    const refuse = (): Promise<Response> => Promise.resolve(
      new Response(JSON.stringify({ error: { code: "audio_pending", text: "" } }), { status: 409 })
    );
    await assert.rejects(
      copyClip(refuse, {}, CLIP, "c"), (error) => error instanceof HTTPProblem && error.code === "audio_pending",
    );
    await assert.rejects(
      copyClip(() => Promise.resolve(new Response(JSON.stringify({}))), {}, CLIP, "c"),
      (error) => error instanceof HTTPProblem && error.code === "bad_answer",
    );
  });
});

describe("A clip goes with the text that was inserted with it", () => {
  const text = "Hi! Thanks, bye.";
  const clip = { ...CLIP, from: 4, to: 16 };
  const after = (next: string, selected?: Selected): unknown => clipAfterEdit(clip, text, next, selected);

  test("once that is deleted: all at once, from its end, or with everything else", () => {
    for (const next of ["Hi! ", "", "Hi"]) assert.equal(after(next), undefined, next);
    assert.equal(clipAfterEdit({ ...CLIP, from: 4, to: 5 }, "Hi! T", "Hi! "), undefined);
  });

  test("once something else is typed over it, even if that begins with the same letter", () => {
    assert.equal(after("Hi! W"), undefined);
    assert.equal(after("T", [0, 16]), undefined);
    assert.equal(after("Hi! T", [4, 16]), undefined);
  });

  test("and stays while a part of it is left, wherever the rest is edited", () => {
    assert.deepEqual(after("Hello! Thanks, bye."), { ...clip, from: 7, to: 19 });
    assert.deepEqual(after("Hi! Thanks, Ada, bye."), { ...clip, to: 21 });
    assert.deepEqual(after("Hi! Thanks, bye. And?"), clip);
    assert.deepEqual(after("Hi! Thanks"), { ...clip, to: 10 });
    assert.deepEqual(after("bye."), { ...clip, from: 0, to: 4 });
  });

  test("also where the text was changed elsewhere", () => {
    assert.equal(clipAfterEdit(clip, "Hi", "Hi there"), undefined);
  });

  test("and stays where it was attached without a text", () => {
    assert.deepEqual(clipAfterEdit(CLIP, "Hi", ""), CLIP);
  });
});
