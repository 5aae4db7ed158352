import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HTTPProblem } from "../client/api";
import { UploadAPI } from "../client/upload-api";
import { CaptureProblem } from "../voice/capture";
import type { Capture, CaptureEvents } from "../voice/capture";
import { LIMIT_MARGIN_MS, Recorder } from "../voice/recorder";
import { after, IDLE } from "../voice/recording";
import type { Recording } from "../voice/recording";
import { clockText, lengthText } from "../voice/time";
import { barsPath, gainFor, resample } from "../voice/wave";
import { ManualClock, settle } from "./support";

/** An upload server that can be made to fail, lose answers or stand elsewhere. */
class Uploads {
  data = "";
  readonly calls: string[] = [];
  opened = 0;
  aborted = 0;
  finished = 0;
  /** What the next calls answer instead, in order: a status, or "lost" (done, but the answer is lost). */
  readonly troubles: (number | "lost" | "offline" | undefined)[] = [];

  readonly api = new UploadAPI((url, init) => this.fetch(url, init ?? {}), () => ({ authorization: "Bearer T" }));

  private async fetch(url: string, init: RequestInit): Promise<Response> {
    this.calls.push(`${init.method} ${url}`);
    const trouble = this.troubles.shift();
    if (trouble === "offline") throw new TypeError("offline");
    if (typeof trouble === "number") return json(trouble, { error: { code: "unavailable", text: "", request: "r" } });
    const answer = await this.answer(url, init);
    if (trouble === "lost") throw new TypeError("connection reset");
    return answer;
  }

  private async answer(url: string, init: RequestInit): Promise<Response> {
    if (init.method === "DELETE") {
      this.aborted += 1;
      return new Response(null, { status: 204 });
    }
    if (url === "/v1/uploads") {
      this.opened += 1;
      return json(201, { upload: "u", received: this.data.length });
    }
    if (init.method === "PATCH") return this.append(Number(new URL(url, "http://x").searchParams.get("offset")), await (init.body as Blob).text());
    this.finished += 1;
    return json(200, { media: "m", ms: 2000, wave: [1, 2], bytes: this.data.length });
  }

  private append(offset: number, bytes: string): Response {
    if (offset > this.data.length) return json(409, { error: { code: "upload_gap", text: "", request: "r" }, received: this.data.length });
    this.data += bytes.slice(this.data.length - offset);
    return json(200, { received: this.data.length });
  }
}

const json = (status: number, body: object): Response => new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** A microphone that the test speaks into. */
class Microphone implements Capture {
  readonly mime = "audio/webm;codecs=opus";
  on = true;
  beeps = 0;
  loudness: number | undefined = 50;
  tail = "";

  constructor(readonly events: CaptureEvents) {}

  level(): number | undefined {
    return this.loudness;
  }

  beep(): void {
    this.beeps += 1;
  }

  release(): void {
    this.on = false;
  }

  speak(bytes: string): void {
    this.events.piece(new Blob([bytes]));
  }

  async stop(): Promise<void> {
    if (this.tail) this.speak(this.tail);
    this.tail = "";
    this.release();
  }
}

class Studio {
  readonly clock = new ManualClock();
  readonly uploads = new Uploads();
  readonly microphones: Microphone[] = [];
  readonly delivered: string[] = [];
  refuse: CaptureProblem | undefined;
  gate: Promise<void> | undefined;
  readonly recorder = new Recorder({
    open: async (events) => {
      await this.gate;
      if (this.refuse) throw this.refuse;
      const microphone = new Microphone(events);
      this.microphones.push(microphone);
      return microphone;
    },
    uploads: this.uploads.api,
    clock: this.clock,
    random: () => 0.5,
    limitMs: () => 120_000,
    deliver: (conversation, audio) => this.delivered.push(`${conversation} ${audio.media}`),
  });

  get mic(): Microphone {
    const microphone = this.microphones[this.microphones.length - 1];
    assert(microphone, "the microphone was not opened");
    return microphone;
  }

  get phase(): string {
    return this.recorder.store.get().recording.phase;
  }

  async recording(): Promise<void> {
    await this.recorder.start("C1");
    assert.equal(this.phase, "recording");
  }

  /** Lets pieces reach the server: reading a Blob takes real turns of the event loop. */
  async flow(ms = 0): Promise<void> {
    for (let i = 0; i < 20; i++) await new Promise<void>((done) => setTimeout(done, 0));
    await this.clock.advance(ms);
    for (let i = 0; i < 20; i++) await new Promise<void>((done) => setTimeout(done, 0));
  }
}

describe("A recording", () => {
  test("does nothing that cannot happen in its state", () => {
    const states: Recording[] = [
      IDLE,
      { phase: "asking" },
      { phase: "refused", problem: "denied" },
      { phase: "recording", since: 1 },
      { phase: "stopped", ms: 1, ending: "person" },
      { phase: "sending", ms: 1 },
      { phase: "failed", ms: 1, problem: "network" },
    ];
    const moves = (state: Recording): string[] =>
      [
        after(state, { act: "ask" }),
        after(state, { act: "granted", at: 2 }),
        after(state, { act: "denied", problem: "missing" }),
        after(state, { act: "stop", at: 5, ending: "person" }),
        after(state, { act: "send" }),
        after(state, { act: "sent" }),
        after(state, { act: "failed", problem: "failed" }),
        after(state, { act: "cancel" }),
      ].map((next) => (next === state ? "-" : next.phase));
    assert.deepEqual(states.map(moves), [
      ["asking", "-", "-", "-", "-", "-", "-", "-"],
      ["-", "recording", "refused", "-", "-", "-", "-", "idle"],
      ["asking", "-", "-", "-", "-", "-", "-", "idle"],
      ["-", "-", "-", "stopped", "-", "-", "-", "idle"],
      ["-", "-", "-", "-", "sending", "-", "-", "idle"],
      ["-", "-", "-", "-", "-", "idle", "failed", "-"],
      ["-", "-", "-", "-", "sending", "-", "-", "idle"],
    ]);
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
    assert.deepEqual(studio.delivered, ["C1 m"]);
    assert.equal(studio.phase, "idle");
    assert.equal(studio.mic.on, false);
  });

  test("keeps the destination that it had when it started", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("x");
    await studio.recorder.start("C2");
    const sent = studio.recorder.send();
    await studio.flow();
    await sent;
    assert.deepEqual(studio.delivered, ["C1 m"]);
  });

  test("leaves nothing behind when it is cancelled", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("secret");
    await studio.flow(1000);
    studio.mic.tail = "late";
    studio.recorder.cancel();
    await studio.flow(1000);
    assert.equal(studio.phase, "idle");
    assert.equal(studio.mic.on, false);
    assert.equal(studio.uploads.aborted, 1);
    assert.equal(studio.uploads.data, "secret");
    assert.deepEqual(studio.delivered, []);
  });

  test("closes a microphone that is granted after the person gave up", async () => {
    const studio = new Studio();
    let grant = (): void => {};
    studio.gate = new Promise((done) => (grant = done));
    const started = studio.recorder.start("C1");
    await settle();
    assert.equal(studio.phase, "asking");
    studio.recorder.cancel();
    grant();
    await started;
    assert.equal(studio.mic.on, false);
    assert.equal(studio.phase, "idle");
    assert.equal(studio.uploads.opened, 0);
  });

  test("says why it could not start, and can be asked again", async () => {
    const studio = new Studio();
    studio.refuse = new CaptureProblem("denied");
    await studio.recorder.start("C1");
    assert.deepEqual(studio.recorder.store.get().recording, { phase: "refused", problem: "denied" });
    studio.refuse = undefined;
    await studio.recorder.restart();
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

  test("gives up after several tries at sending, keeps the recording, and sends the same one again", async () => {
    const studio = new Studio();
    await studio.recording();
    studio.mic.speak("precious");
    studio.uploads.troubles.push(...new Array<"offline">(7).fill("offline"));
    const sent = studio.recorder.send();
    for (let i = 0; i < 8; i++) await studio.flow(10_000);
    await sent;
    assert.deepEqual(studio.recorder.store.get().recording, { phase: "failed", ms: 0, problem: "network" });
    studio.uploads.troubles.length = 0;
    const again = studio.recorder.send();
    await studio.flow(10_000);
    await again;
    assert.equal(studio.uploads.data, "precious");
    assert.deepEqual(studio.delivered, ["C1 m"]);
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
    assert.deepEqual(studio.delivered, ["C1 m"]);
  });

  test("says what is wrong with a recording that the server refuses", async () => {
    const studio = new Studio();
    await studio.recording();
    const sent = studio.recorder.send();
    await studio.flow();
    await sent;
    assert.deepEqual(studio.recorder.store.get().recording, { phase: "failed", ms: 0, problem: "empty" });
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

describe("A length", () => {
  test("is written as minutes and seconds, and is never nothing", () => {
    assert.deepEqual([0, 999, 7_000, 61_000, 723_000, Infinity, NaN].map(clockText), ["0:00", "0:00", "0:07", "1:01", "12:03", "0:00", "0:00"]);
    assert.deepEqual([0, 400, 1_600, 59_700].map(lengthText), ["0:01", "0:01", "0:02", "1:00"]);
  });
});
