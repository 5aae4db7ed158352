import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CaptureProblem } from "../../voice/record/capture";
import { LIMIT_MARGIN_MS, PAUSE_MOST_MS, UNDO_MS } from "../../voice/record/recorder-state";
import { Studio } from "../support/studio";
import { settle } from "../support/support";

describe("The recorder", () => {
  test("opens the microphone only when a recording starts", async () => {
    const studio = new Studio();
    await studio.flow(5000);
    assert.equal(studio.microphones.length, 0);
    await studio.recording();
    assert.equal(studio.microphones.length, 1);
  });

  test("can be deleted, taken back within ten seconds, and sent", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("secret ");
    await studio.flow(1000);
    studio.mic.tail = "tail";
    studio.recorder.delete();
    assert.equal(studio.phase, "deleted");
    assert.equal(studio.mic.on, false);
    await studio.flow(UNDO_MS - 100);
    assert.equal(studio.uploads.aborted, 0);
    studio.recorder.undo();
    assert.equal(studio.phase, "stopped");
    const sent = studio.recorder.send();
    await studio.flow(1000);
    await sent;
    assert.equal(studio.uploads.data, "secret tail");
    assert.deepEqual(studio.said, ["C1 m"]);
  });

  test("leaves nothing behind, on the server or on the device, when ten seconds went by after deleting", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("secret");
    await studio.flow(1000);
    assert.equal(studio.drafts.rows.size, 1);
    studio.mic.tail = "late";
    studio.recorder.delete();
    await studio.flow(UNDO_MS);
    await studio.flow(1000);
    assert.equal(studio.phase, "idle");
    assert.equal(studio.mic.on, false);
    assert.equal(studio.uploads.aborted, 1);
    assert.equal(studio.uploads.data, "");
    assert.equal(studio.drafts.rows.size, 0);
    assert.deepEqual(studio.delivered, []);
  });

  test("closes a microphone that is granted after the person gave up", async () => {
    const studio = new Studio();
    let grant = (): void => {};
    studio.gate = new Promise((done) => (grant = done));
    const started = studio.recorder.start();
    await settle();
    assert.equal(studio.phase, "asking");
    studio.recorder.close();
    grant();
    await started;
    assert.equal(studio.mic.on, false);
    assert.equal(studio.phase, "idle");
    assert.equal(studio.uploads.opened, 0);
  });

  test("says why it could not start, and can be asked again", async () => {
    const studio = new Studio();
    studio.refuse = new CaptureProblem("denied");
    await studio.recorder.start();
    assert.deepEqual(studio.recorder.store.get().recording, { phase: "refused", problem: "denied" });
    studio.refuse = undefined;
    await studio.recorder.start();
    assert.equal(studio.phase, "recording");
  });

  test("stops by itself just below the limit, says so and beeps", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("x");
    await studio.clock.advance(104_900);
    assert.equal(studio.recorder.store.get().left, undefined);
    await studio.clock.advance(1_000);
    assert.equal(studio.recorder.store.get().left, 15);
    await studio.clock.advance(20_000);
    const { recording } = studio.recorder.store.get();
    assert(recording.phase === "stopped");
    assert.equal(recording.ending, "limit");
    assert.equal(recording.ms <= 120_000 - LIMIT_MARGIN_MS + 80 && recording.ms > 119_000, true);
    assert.equal(studio.mic.beeps, 1);
    assert.equal(studio.mic.on, false);
  });

  test("notices a silent microphone, and the first word after it", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.loudness = 0;
    await studio.clock.advance(3200);
    assert.equal(studio.recorder.store.get().silent, true);
    studio.mic.loudness = 40;
    await studio.clock.advance(200);
    assert.equal(studio.recorder.store.get().silent, false);
  });

  test("keeps what was said when the microphone goes away", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("x");
    studio.mic.events.lost();
    await studio.flow();
    const { recording } = studio.recorder.store.get();
    assert(recording.phase === "stopped");
    assert.equal(recording.ending, "lost");
    assert.equal(studio.mic.on, false);
  });

  test("pauses without playbackProgress or counting, and goes on", async () => {
    const studio = new Studio();
    await studio.recording();
    await studio.clock.advance(2000);
    studio.recorder.pause();
    assert.equal(studio.mic.paused, true);
    await studio.clock.advance(60_000);
    assert.deepEqual(studio.recorder.recording, { phase: "paused", ms: 2000 });
    studio.recorder.resume();
    assert.equal(studio.mic.paused, false);
    await studio.clock.advance(1100);
    assert.equal(studio.recorder.store.get().seconds, 3);
  });

  test("lets nobody forget an open microphone: a long pause ends", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("x");
    studio.recorder.pause();
    await studio.clock.advance(PAUSE_MOST_MS);
    assert.equal(studio.mic.on, false);
    const { recording } = studio.recorder.store.get();
    assert(recording.phase === "stopped");
    assert.equal(recording.ending, "long");
  });

  test("says that it is too loud", async () => {
    const studio = new Studio();
    await studio.recording();
    await studio.clock.advance(500);
    assert.equal(studio.recorder.store.get().clips, false);
    studio.mic.clips = true;
    await studio.clock.advance(500);
    assert.equal(studio.recorder.store.get().clips, true);
  });

  test("starts again with another microphone where nothing was played", async () => {
    const studio = new Studio();
    studio.loudness = 0;
    await studio.recording();
    studio.mic.speak("silence");
    await studio.flow(4000);
    await studio.recorder.changeMicrophone("");
    await studio.flow(1000);
    assert.equal(studio.phase, "recording");
    assert.equal(studio.recorder.store.get().seconds <= 1, true);
    assert.deepEqual(studio.microphones.map(({ on }) => on), [false, true]);
    assert.equal(studio.uploads.aborted, 1);
  });

  test("keeps what was played when another microphone is chosen", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("x");
    await studio.clock.advance(500);
    await studio.recorder.changeMicrophone("");
    const { recording } = studio.recorder;
    assert(recording.phase === "stopped");
    assert.equal(recording.ending, "device");
    assert.equal(studio.mic.on, false);
  });

  test("does not even ask where somebody else records, or voice is off", async () => {
    const studio = new Studio();
    studio.forbids = "elsewhere";
    await studio.recorder.start();
    assert.deepEqual(studio.recorder.recording, { phase: "refused", problem: "elsewhere" });
    assert.equal(studio.microphones.length, 0);
  });

  test("never leaves the microphone open when the page goes", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.recorder.stopCapture();
    await studio.flow();
    assert.equal(studio.mic.on, false);
    assert.equal(studio.phase, "stopped");
  });
});
