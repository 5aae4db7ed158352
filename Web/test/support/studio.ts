/** What tests of the recorder need: an upload server, a microphone, a device, all of which can be made to fail. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { UploadAPI } from "../../client/core/upload-api";
import { MemoryStore } from "../../client/core/ports";
import { PageMicrophone } from "../../voice/record/page-microphone";
import { CaptureProblem } from "../../voice/record/capture";
import type { Capture, CaptureEvents } from "../../voice/record/capture";
import type { DraftBook, DraftHead, Intent, KeptDraft, PieceNote } from "../../voice/storage/drafts";
import type { Level } from "../../voice/record/level-meter";
import { Recorder } from "../../voice/record/recorder";
import type { Phase, Problem } from "../../voice/record/recording";
import { ManualClock } from "./support";

/** What an upload server computes of the bytes that it got. */
const digestOf = (bytes: string): string => `sha-256=:${createHash("sha256").update(bytes).digest("base64")}:`;

/** An upload server that can be made to fail, lose answers or stand elsewhere. */
export class Uploads {
  data = "";
  readonly calls: string[] = [];
  opened = 0;
  aborted = 0;
  finished = 0;
  /**
   * What the next calls answer instead, in order: a status, "lost" (done, but the answer is lost), or "damaged" (the
   * bytes arrive changed).
   */
  readonly troubles: (number | "lost" | "offline" | "damaged" | undefined)[] = [];
  /** Whether the page can compute digests. */
  isSecure = true;

  readonly api = new UploadAPI(
    (url, init) => this.fetch(url, init ?? {}), () => ({ authorization: "Bearer T" }),
    async (bytes) => this.isSecure ? digestOf(await bytes.text()) : undefined,
  );

  private async fetch(url: string, init: RequestInit): Promise<Response> {
    this.calls.push(`${init.method} ${url}`);
    const trouble = this.troubles.shift();
    if (trouble === "offline") throw new TypeError("offline");
    if (typeof trouble === "number") return json(
      trouble, { error: { code: trouble === 404 ? "not_found" : "unavailable", text: "", request: "r" } },
    );
    const answer = await this.answer(url, init, trouble === "damaged");
    if (trouble === "lost") throw new TypeError("connection reset");
    return answer;
  }

  private async answer(url: string, init: RequestInit, damaged: boolean): Promise<Response> {
    if (init.method === "DELETE") {
      this.aborted += 1;
      this.data = "";
      return new Response(null, { status: 204 });
    }
    if (url === "/v1/uploads") {
      this.opened += 1;
      return json(201, { upload: "u", received: this.data.length });
    }
    if (init.method === "PATCH") {
      const bytes = await (init.body as Blob).text();
      return this.append(url, damaged ? `?${bytes.slice(1)}` : bytes, new Headers(init.headers).get("content-digest"));
    }
    this.finished += 1;
    return json(200, { media: "m", ms: 2000, wave: [1, 2], bytes: this.data.length });
  }

  private append(url: string, bytes: string, digest: string | null): Response {
    const offset = Number(new URL(url, "http://x").searchParams.get("offset"));
    if (digest !== null && digest !== digestOf(bytes)) return json(
      400, { error: { code: "digest_mismatch", text: "", request: "r" } },
    );
    if (offset > this.data.length) return json(
      409, { error: { code: "upload_gap", text: "", request: "r" }, received: this.data.length },
    );
    this.data += bytes.slice(this.data.length - offset);
    return json(200, { received: this.data.length });
  }
}

const json = (status: number, body: object): Response => new Response(
  JSON.stringify(body), { status, headers: { "content-type": "application/json" } },
);

/** A microphone that the test speaks into. */
export class Microphone implements Capture {
  readonly mime = "audio/webm;codecs=opus";
  readonly device = "Test microphone";
  on = true;
  paused = false;
  clips = false;
  beeps = 0;
  loudness: number | undefined = 50;
  tail = "";

  constructor(readonly events: CaptureEvents) {}

  level(): Level | undefined {
    return this.loudness === undefined ? undefined : { loud: this.loudness, clips: this.clips };
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
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

/** A device that keeps drafts for as long as the test lives, so that a "page" may end. */
export class MemoryDrafts implements DraftBook {
  readonly rows = new Map<string, { head: DraftHead; intent: Intent; pieces: { bytes: Blob; note: PieceNote }[] }>();
  /** What every call fails with. */
  broken: Error | undefined;

  async begin(head: DraftHead): Promise<void> {
    if (this.broken) throw this.broken;
    this.rows.set(head.id, { head, intent: "keep", pieces: [] });
  }

  async add(head: DraftHead, index: number, bytes: Blob, note: PieceNote): Promise<void> {
    if (this.broken) throw this.broken;
    const row = this.rows.get(head.id);
    if (row) row.pieces[index] = { bytes, note };
  }

  async mark(id: string, intent: Intent): Promise<void> {
    const row = this.rows.get(id);
    if (row) row.intent = intent;
  }

  async drop(id: string): Promise<void> {
    this.rows.delete(id);
  }

  async found(): Promise<readonly KeptDraft[]> {
    return [...this.rows.values()].map(({ head, intent, pieces }) => ({
      ...head, intent, pieces: pieces.map(({ bytes }) => bytes), levels: pieces.flatMap(
        ({ note }) => [...note.levels]
      ), ms: pieces[pieces.length - 1]?.note.ms ?? 0,
    }));
  }

  async wipe(): Promise<void> {
    this.rows.clear();
  }
}

/**
 * A recorder with everything around it. Two studios with the same device and server are two pages, one after the other.
 */
export class Studio {
  readonly clock = new ManualClock();
  readonly microphones: Microphone[] = [];
  /** Conversation, medium and key of what was said. */
  readonly delivered: string[] = [];
  refuse: CaptureProblem | undefined;
  forbids: Problem | undefined;
  gate: Promise<void> | undefined;
  /** What a new microphone hears. */
  loudness = 50;
  readonly recorder: Recorder;

  constructor(readonly uploads = new Uploads(), readonly drafts = new MemoryDrafts(), conversation = "C1") {
    this.recorder = new Recorder(conversation, {
      open: async (events) => {
        await this.gate;
        if (this.refuse) throw this.refuse;
        const microphone = new Microphone(events);
        microphone.loudness = this.loudness;
        this.microphones.push(microphone);
        return microphone;
      },
      microphone: new PageMicrophone(new MemoryStore()),
      uploads: this.uploads.api,
      drafts: this.drafts,
      clock: this.clock,
      random: () => 0.5,
      limitMs: () => 120_000,
      forbids: () => this.forbids,
      deliver: (to, audio, key) => this.delivered.push(`${to} ${audio.media} ${key}`),
    });
  }

  /** What was said, without the keys. */
  get said(): string[] {
    return this.delivered.map((said) => said.split(" ").slice(0, 2).join(" "));
  }

  get mic(): Microphone {
    const microphone = this.microphones[this.microphones.length - 1];
    assert(microphone, "the microphone was not opened");
    return microphone;
  }

  get phase(): Phase {
    return this.recorder.recording.phase;
  }

  async recording(): Promise<void> {
    await this.recorder.start();
    assert.equal(this.phase, "recording");
  }

  /** Lets pieces reach the server: reading a Blob takes real turns of the event loop. */
  async flow(ms = 0): Promise<void> {
    for (let i = 0; i < 20; i++) await new Promise<void>((done) => setTimeout(done, 0));
    await this.clock.advance(ms);
    for (let i = 0; i < 20; i++) await new Promise<void>((done) => setTimeout(done, 0));
  }
}
