import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HTTPProblem } from "../client/api";
import { CaptureProblem } from "../voice/capture";
import { levelOf } from "../voice/meter";
import { LIMIT_MARGIN_MS, PAUSE_MOST_MS, UNDO_MS } from "../voice/recorder-state";
import { after, IDLE, spokenMs, isFinal } from "../voice/recording";
import type { Act, Recording } from "../voice/recording";
import { clockText, lengthText } from "../voice/time";
import { barsPath, gainFor, resample } from "../voice/wave";
import { Studio } from "./studio";
import { settle } from "./support";

describe("A recording", () => {
  test("does nothing that cannot happen in its state", () => {
    const states: Recording[] = [
      IDLE,
      { phase: "armed" },
      { phase: "asking" },
      { phase: "refused", problem: "denied" },
      { phase: "recording", since: 1, before: 0 },
      { phase: "paused", ms: 1 },
      { phase: "stopped", ms: 1, ending: "person" },
      { phase: "sending", ms: 1 },
      { phase: "failed", ms: 1, problem: "network" },
      { phase: "deleted", ms: 1 },
    ];
    const acts: Act[] = [
      { act: "arm" }, { act: "ask" }, { act: "granted", at: 2 }, { act: "denied", problem: "missing" }, { act: "pause", at: 3 }, { act: "resume", at: 3 },
      { act: "stop", at: 5, ending: "person" }, { act: "found", ms: 1 }, { act: "send" }, { act: "hold" }, { act: "sent" }, { act: "failed", problem: "failed" },
      { act: "delete", at: 5 }, { act: "undo" }, { act: "close" },
    ];
    const table = Object.fromEntries(states.map((state) => [state.phase, acts.map((act) => [act.act, after(state, act)] as const).filter(([, next]) => next !== state).map(([act, next]) => `${act} → ${next.phase}`)]));
    assert.deepEqual(table, {
      idle: ["arm → armed", "ask → asking", "found → stopped"],
      armed: ["ask → asking", "close → idle"],
      asking: ["granted → recording", "denied → refused", "close → idle"],
      refused: ["ask → asking", "close → idle"],
      recording: ["pause → paused", "stop → stopped", "delete → deleted"],
      paused: ["resume → recording", "stop → stopped", "delete → deleted"],
      stopped: ["send → sending", "delete → deleted"],
      sending: ["hold → stopped", "sent → idle", "failed → failed", "delete → deleted"],
      failed: ["send → sending", "delete → deleted"],
      deleted: ["arm → armed", "ask → asking", "undo → stopped", "close → idle"],
    });
  });

  test("counts what was said, and no pause", () => {
    const paused = after({ phase: "recording", since: 1000, before: 0 }, { act: "pause", at: 4000 });
    assert.equal(spokenMs(paused, 60_000), 3000);
    const on = after(paused, { act: "resume", at: 60_000 });
    assert.equal(spokenMs(on, 62_000), 5000);
    assert.deepEqual(after(on, { act: "stop", at: 62_500, ending: "person" }), { phase: "stopped", ms: 5500, ending: "person" });
  });
});

describe("The recorder", () => {
  test("opens the microphone only when a recording starts", async () => {
    const studio = new Studio();
    await studio.flow(5000);
    assert.equal(studio.microphones.length, 0);
    await studio.recording();
    assert.equal(studio.microphones.length, 1);
  });

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

  test("gives up when the server says no time after time, keeps the recording, and sends the same one again", async () => {
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
    studio.recorder.nudge();
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
    const offsets = studio.uploads.calls.flatMap((call) => /offset=(\d+)/.exec(call)?.[1] ?? []).map((offset) => Number(offset) / 1024);
    assert.deepEqual(offsets, [0, 64, 64, 96, 160, 224]);
    assert.equal(studio.uploads.data.length, 256 * 1024);
  });

  test("pauses without hearing or counting, and goes on", async () => {
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

  test("starts anew with another microphone where nothing was heard", async () => {
    const studio = new Studio();
    studio.loudness = 0;
    await studio.recording();
    studio.mic.speak("silence");
    await studio.flow(4000);
    await studio.recorder.changeMicrophone();
    await studio.flow(1000);
    assert.equal(studio.phase, "recording");
    assert.equal(studio.recorder.store.get().seconds <= 1, true);
    assert.deepEqual(studio.microphones.map(({ on }) => on), [false, true]);
    assert.equal(studio.uploads.aborted, 1);
  });

  test("keeps what was heard when another microphone is chosen", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("x");
    await studio.clock.advance(500);
    await studio.recorder.changeMicrophone();
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
    assert.equal(studio.recorder.store.get().keeping, "full");
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

  test("never leaves the microphone open when the page goes", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.recorder.hush();
    await studio.flow();
    assert.equal(studio.mic.on, false);
    assert.equal(studio.phase, "stopped");
  });
});

describe("A refusal", () => {
  test("is final where the same recording would be refused again", () => {
    const problems = ["tooLong", "tooLarge", "empty", "damaged", "blocked", "network", "full", "off", "signedOut", "failed"] as const;
    assert.deepEqual(problems.filter(isFinal), ["tooLong", "tooLarge", "empty", "damaged", "blocked"]);
  });
});

describe("A problem of the network", () => {
  test("may pass or not, by its status", () => {
    const passes = (status: number): boolean => new HTTPProblem(status, "", "").passes;
    assert.deepEqual([0, 408, 429, 500, 503, 507, 400, 401, 404, 409, 413, 422].map(passes), [true, true, true, true, true, false, false, false, false, false, false, false]);
  });
});

describe("The waveform", () => {
  test("keeps peaks when there is less room, and draws between them when there is more", () => {
    assert.deepEqual(resample([0, 80, 0, 20], 2), [80, 20]);
    assert.deepEqual(resample([0, 100], 5).map(Math.round), [0, 10, 50, 90, 100]);
    assert.deepEqual(resample([], 3), [0, 0, 0]);
    assert.equal(resample(Array.from({ length: 10_000 }, (_, i) => i % 101), 40).length, 40);
  });

  test("draws something for nonsense", () => {
    assert.equal(barsPath([NaN, Infinity, -5, 300], 32).includes("NaN"), false);
    assert.equal(gainFor([]), 100 / 36);
  });
});

describe("The meter", () => {
  test("tells silence, a voice, and what was cut off at the top", () => {
    const wave = (peak: number): Float32Array => Float32Array.from({ length: 1024 }, (_, i) => Math.max(-1, Math.min(1, peak * Math.sin(i / 5))));
    assert.deepEqual(levelOf(new Float32Array(1024)), { loud: 0, clips: false });
    assert.equal(levelOf(wave(0.1)).loud > 50, true);
    assert.deepEqual([0.5, 0.98, 1.5].map((peak) => levelOf(wave(peak)).clips), [false, false, true]);
  });
});

describe("A length", () => {
  test("is written as minutes and seconds, and is never nothing", () => {
    assert.deepEqual([0, 999, 7_000, 61_000, 723_000, Infinity, NaN].map(clockText), ["0:00", "0:00", "0:07", "1:01", "12:03", "0:00", "0:00"]);
    assert.deepEqual([0, 400, 1_600, 59_700].map(lengthText), ["0:01", "0:01", "0:02", "1:00"]);
  });
});
