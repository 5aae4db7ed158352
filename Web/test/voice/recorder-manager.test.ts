import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MemoryStore } from "../../client/core/ports";
import { PageMicrophone, RecorderManager } from "../../voice/record/recorder-manager";
import { MemoryDrafts, Microphone } from "../support/studio";
import { ManualClock } from "../support/support";

/** A recorders with a device and microphones of its own, as the widget's survey has one beside its composer. */
class Place {

  readonly microphones: Microphone[] = [];
  off = false;
  gate: Promise<void> | undefined;
  readonly recorders: RecorderManager;

  constructor(microphone: PageMicrophone) {
    this.recorders = new RecorderManager({
      owner: "o", fetch: async () => Promise.reject(
        new TypeError("offline")
      ), credentials: () => ({}), clock: new ManualClock(), random: () => 0.5, limitMs: () => 120_000,
      off: () => this.off, deliver: () => {}, drafts: new MemoryDrafts(), microphone,
      open: async (events) => {
        await this.gate;
        const microphone = new Microphone(events);
        this.microphones.push(microphone);
        return microphone;
      },
    });
  }

  recorder(c = "C1"): ReturnType<RecorderManager["recorder"]> {
    return this.recorders.recorder(c);
  }
}

/** Two managers on one page. */
function newPage(): [Place, Place] {
  const page = new PageMicrophone(new MemoryStore());
  return [new Place(page), new Place(page)];
}

const REFUSED = { phase: "refused", problem: "elsewhere" };

describe("On a page", () => {
  test("one microphone is open at a time: across managers, conversations and pending prompts", async () => {
    const [composer, survey] = newPage();
    let granted = (): void => {};
    composer.gate = new Promise((done) => (granted = done));
    const asked = composer.recorder().start();
    await survey.recorder().start();
    assert.deepEqual([composer.recorder().recording.phase, survey.recorder().recording], ["asking", REFUSED]);
    granted();
    await asked;
    await composer.recorder("C2").start();
    await survey.recorder().start();
    assert.deepEqual(
      [composer.recorder("C2").recording, survey.recorder().recording, survey.microphones.length],
      [REFUSED, REFUSED, 0],
    );
    composer.recorder().pause();
    await survey.recorder().start();
    assert.deepEqual([composer.recorder().recording.phase, survey.recorder().recording], ["paused", REFUSED]);
    composer.recorders.stopCapture();
  });

  test("a recording makes room by stopping, by deleting, and when the page or the person goes", async () => {
    const [composer, survey] = newPage();
    for (const leave of [
      () => survey.recorder().stop(),
      () => survey.recorder().delete(),
      () => survey.recorders.stopCapture(),
      () => survey.recorders.wipe(),
    ]) {
      await survey.recorder("C1").start();
      assert.equal(survey.recorder().recording.phase, "recording");
      await leave();
      await composer.recorder().start();
      assert.equal(composer.recorder().recording.phase, "recording", leave.toString());
      await composer.recorders.wipe();
      await survey.recorders.wipe();
    }
  });

  test("one who is recording already may go on, and where voice is off that is said first", async () => {
    const [composer, survey] = newPage();
    await composer.recorder().start();
    composer.recorder().pause();
    composer.recorder().resume();
    assert.equal(composer.recorder().recording.phase, "recording");
    survey.off = true;
    await survey.recorder().start();
    assert.deepEqual(survey.recorder().recording, { phase: "refused", problem: "off" });
    composer.recorders.stopCapture();
  });
});
