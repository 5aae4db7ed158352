import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HTTPProblem } from "../../client/core/api";
import { contentDigest } from "../../client/core/digest";
import { UNDO_MS } from "../../voice/record/recorder-state";
import { Studio } from "../support/studio";

describe("The recorder, on the way to the server", () => {
  test("has the bytes on the server while the person still speaks, and sends only the tail at the end", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("one ");
    studio.mic.speak("two ");
    await studio.flow(1000);
    assert.equal(studio.uploads.data, "one two ");
    studio.mic.tail = "end";
    const sent = studio.recorder.send();
    await studio.flow();
    await sent;
    assert.equal(studio.uploads.data, "one two end");
    assert.deepEqual(studio.said, ["C1 m"]);
    assert.equal(studio.phase, "idle");
    assert.equal(studio.mic.on, false);
  });

  test("tells the server later what was deleted without a network", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("secret");
    await studio.flow(1000);
    studio.recorder.delete();
    studio.uploads.troubles.push("offline", "offline");
    await studio.flow(UNDO_MS);
    assert.equal(studio.drafts.rows.size, 1);
    for (let i = 0; i < 6; i++) await studio.flow(5000);
    assert.equal(studio.uploads.aborted, 1);
    assert.equal(studio.drafts.rows.size, 0);
  });

  test("removes on the server also a recording that was finished there and then not sent", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("secret");
    await studio.flow(1000);
    studio.uploads.troubles.push("lost", "offline");
    const sent = studio.recorder.send();
    await studio.flow();
    assert.deepEqual([studio.uploads.finished, studio.phase], [1, "sending"]);
    studio.recorder.hold();
    studio.recorder.delete();
    await studio.flow(UNDO_MS);
    await studio.flow(5000);
    await sent;
    assert.deepEqual([studio.uploads.aborted, studio.uploads.data, studio.said], [1, "", []]);
    assert.equal(studio.drafts.rows.size, 0);
  });

  test("goes on by itself after the network was away, and repeats nothing", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.uploads.troubles.push(undefined, "offline", 503, "lost");
    studio.mic.speak("one ");
    await studio.flow(20_000);
    studio.mic.speak("two");
    await studio.flow(20_000);
    assert.equal(studio.uploads.data, "one two");
  });

  test("goes on where the server stands when it stands elsewhere", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("one two ");
    await studio.flow(1000);
    studio.uploads.data = "one ";
    studio.mic.speak("three");
    await studio.flow(1000);
    assert.equal(studio.uploads.data, "one two three");
  });

  test("gives up after repeated refusals, keeps the recording, and sends the same one again", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.uploads.troubles.push(...new Array<number>(12).fill(503));
    studio.mic.speak("precious");
    const sent = studio.recorder.send();
    for (let i = 0; i < 12; i++) await studio.flow(10_000);
    await sent;
    assert.deepEqual(studio.recorder.recording, { phase: "failed", ms: 0, problem: "network" });
    studio.uploads.troubles.length = 0;
    const again = studio.recorder.send();
    await studio.flow(10_000);
    await again;
    assert.equal(studio.uploads.data, "precious");
    assert.deepEqual(studio.said, ["C1 m"]);
  });

  test("never gives up while there is no network: it says so, and goes on by itself", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.uploads.troubles.push(...new Array<"offline">(300).fill("offline"));
    studio.mic.speak("precious");
    const sent = studio.recorder.send();
    for (let i = 0; i < 20; i++) await studio.flow(10_000);
    assert.equal(studio.phase, "sending");
    assert.equal(studio.recorder.store.get().stalled, true);
    studio.uploads.troubles.length = 0;
    studio.recorder.retryNow();
    await studio.flow();
    await sent;
    assert.deepEqual(studio.said, ["C1 m"]);
  });

  test("can be held back while it waits for the network, and then sends nothing", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.uploads.troubles.push(...new Array<"offline">(5).fill("offline"));
    studio.mic.speak("not yet");
    const sent = studio.recorder.send();
    await studio.flow(500);
    studio.recorder.hold();
    for (let i = 0; i < 10; i++) await studio.flow(10_000);
    await sent;
    assert.equal(studio.phase, "stopped");
    assert.deepEqual(studio.delivered, []);
  });

  test("begins again from the first byte when the server forgot the upload", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("one ");
    await studio.flow(1000);
    studio.uploads.data = "";
    studio.uploads.troubles.push(404);
    studio.mic.speak("two");
    const sent = studio.recorder.send();
    await studio.flow(1000);
    await sent;
    assert.equal(studio.uploads.data, "one two");
    assert.deepEqual(studio.said, ["C1 m"]);
  });

  test("sends more at a time while all goes well, and less once a connection died", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.uploads.troubles.push(undefined, undefined, "offline");
    studio.mic.speak("x".repeat(256 * 1024));
    const sent = studio.recorder.send();
    for (let i = 0; i < 5; i++) await studio.flow(1000);
    await sent;
    const offsets = studio.uploads.calls.flatMap(
      (call) => /offset=(\d+)/.exec(call)?.[1] ?? []
    ).map((offset) => Number(offset) / 1024);
    assert.deepEqual(offsets, [0, 64, 64, 96, 160, 224]);
    assert.equal(studio.uploads.data.length, 256 * 1024);
  });

  test("sends bytes again that were damaged on the way", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.uploads.troubles.push(undefined, "damaged", "damaged");
    studio.mic.speak("one ");
    await studio.flow(20_000);
    studio.mic.speak("two");
    const sent = studio.recorder.send();
    await studio.flow(20_000);
    await sent;
    assert.equal(studio.uploads.data, "one two");
    assert.deepEqual(studio.said, ["C1 m"]);
    assert.equal(studio.uploads.calls.filter((call) => call.includes("offset=0")).length, 3);
  });

  test("gives up after repeated damage, and says that it is the network", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.uploads.troubles.push(undefined, ...new Array<"damaged">(100).fill("damaged"));
    studio.mic.speak("one");
    const sent = studio.recorder.send();
    for (let i = 0; i < 12; i++) await studio.flow(10_000);
    await sent;
    assert.deepEqual(studio.recorder.recording, { phase: "failed", ms: 0, problem: "network" });
    assert.equal(studio.uploads.data, "");
  });

  test("records also in a page that can compute no digest", async () => {
    const studio = new Studio();
    studio.uploads.isSecure = false;
    await studio.recording();
    studio.mic.speak("one");
    const sent = studio.recorder.send();
    await studio.flow(1000);
    await sent;
    assert.deepEqual([studio.uploads.data, studio.said], ["one", ["C1 m"]]);
  });

  test("does not wait out a back-off when the person presses send", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.uploads.troubles.push("offline");
    studio.mic.speak("x");
    await studio.flow();
    const sent = studio.recorder.send();
    await studio.flow();
    await sent;
    assert.deepEqual(studio.said, ["C1 m"]);
  });

  test("says what is wrong with a recording that the server refuses", async () => {
    const studio = new Studio();
    await studio.recording();
    const sent = studio.recorder.send();
    await studio.flow();
    await sent;
    assert.deepEqual(studio.recorder.store.get().recording, { phase: "failed", ms: 0, problem: "empty" });
  });
});

describe("The digest of a piece", () => {
  test("is SHA-256 as RFC 9530 writes it", async () => {
    assert.equal(
      await contentDigest(new Blob(['{"hello": "world"}\n'])),
      "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:",
    );
  });

  test("is missing where the browser computes none", async () => {
    assert.equal(await contentDigest(new Blob(["a"]), null as unknown as undefined), undefined);
  });
});

describe("A problem of the network", () => {
  test("may pass or not, by its status", () => {
    const passes = (status: number): boolean => new HTTPProblem(status, "", "").passes;
    assert.deepEqual(
      [0, 408, 429, 500, 503, 507, 400, 401, 404, 409, 413, 422].map(passes),
      [true, true, true, true, true, false, false, false, false, false, false, false],
    );
  });
});
