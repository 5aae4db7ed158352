import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Studio } from "../support/studio";

describe("A recording that was not sent", () => {
  test("is offered again by the next page, and sends what was said once", async () => {
    const first = new Studio();
    await first.recording();
    first.mic.speak("one ");
    await first.flow(1000);
    first.mic.speak("two ");
    await first.flow(1000);
    const next = new Studio(first.uploads, first.drafts);
    for (const draft of await next.drafts.found()) next.recorder.found(draft);
    assert.deepEqual(next.recorder.recording, { phase: "stopped", ms: 1000, ending: "found" });
    assert.equal(await (await next.recorder.blob()).text(), "one two ");
    const sent = next.recorder.send();
    await next.flow(1000);
    await sent;
    assert.equal(next.uploads.data, "one two ");
    assert.deepEqual(next.said, ["C1 m"]);
    assert.equal(next.drafts.rows.size, 0);
  });

  test("that was being sent when the page ended leaves by itself, under the same key", async () => {
    const first = new Studio();
    await first.recording();
    first.mic.speak("now");
    await first.flow(1000);
    first.uploads.troubles.push(...new Array<"offline">(9).fill("offline"));
    void first.recorder.send();
    await first.flow(100);
    first.uploads.troubles.length = 0;
    const next = new Studio(first.uploads, first.drafts);
    const drafts = await next.drafts.found();
    for (const draft of drafts) next.recorder.found(draft);
    await next.flow(1000);
    assert.deepEqual(next.delivered, [`C1 m ${drafts[0]?.id}`]);
  });

  test("that was deleted when the page ended is removed by the next one", async () => {
    const first = new Studio();
    await first.recording();
    first.mic.speak("secret");
    await first.flow(1000);
    first.recorder.delete();
    await first.flow();
    const next = new Studio(first.uploads, first.drafts);
    for (const draft of await next.drafts.found()) next.recorder.found(draft);
    await next.flow(1000);
    assert.equal(next.phase, "idle");
    assert.equal(next.uploads.aborted, 1);
    assert.equal(next.drafts.rows.size, 0);
  });

  test("is recorded and sent all the same where the device keeps nothing, and says so", async () => {
    const studio = new Studio();
    studio.drafts.broken = new DOMException("full", "QuotaExceededError");
    await studio.recording();
    studio.mic.speak("x");
    await studio.flow(1000);
    assert.equal(studio.recorder.store.get().retention, "full");
    const sent = studio.recorder.send();
    await studio.flow(1000);
    await sent;
    assert.deepEqual(studio.said, ["C1 m"]);
  });

  test("leaves nothing when the person signs out", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("x");
    await studio.flow(1000);
    const wiped = studio.recorder.wipe();
    await studio.flow(1000);
    await wiped;
    assert.equal(studio.mic.on, false);
    assert.equal(studio.phase, "idle");
    assert.equal(studio.uploads.aborted, 1);
    assert.equal(studio.drafts.rows.size, 0);
  });
});
