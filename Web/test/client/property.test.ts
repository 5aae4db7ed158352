import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConsumerSession } from "../../client/consumer/consumer-session";
import { covered } from "../../client/conversation/played-spans";
import type { ConversationEvent, Span } from "../../client/conversation/events";
import { MemoryStore } from "../../client/core/ports";
import { thread } from "../../client/conversation/thread";
import { ModelServer, VOICE_MS } from "../support/model-server";
import type { Pipe } from "../support/model-server";
import { ManualClock, seeded, settle } from "../support/support";

const SEEDS = 60;
const STEPS = 250;

/** A device of the consumer: its storage outlives its pages. */
class Device {
  readonly storage = new MemoryStore();
  readonly said: string[] = [];
  session: ConsumerSession;

  constructor(readonly name: string, private readonly world: World) {
    this.session = this.load();
  }

  load(): ConsumerSession {
    const { server, clock, random } = this.world;
    const answer = {
      token: "T",
      consumer: "c",
      conversation: "C",
      brand: { name: "B", color: "#123456", welcome: "" },
      limits: { text: 2000, audioMs: 120000, audioBytes: 1 },
    };
    const fetch = (): Promise<Response> => Promise.resolve(new Response(JSON.stringify(answer), { status: 201 }));
    const session = new ConsumerSession(
      { account: "a", app: "s", fetch, socket: () => server.open(), storage: this.storage, clock, random }
    );
    void session.start();
    return session;
  }

  reload(): void {
    // What a page does when it goes.
    this.session.playbackProgress.flush();
    this.session.stop();
    this.session = this.load();
  }

  /** What this device really played, by message. */
  readonly played = new Map<number, readonly Span[]>();

  /** Plays some of a voice message that is here. */
  listen(random: () => number): void {
    const { timeline } = this.session.store.get();
    const voices = timeline.events.filter(({ content, by }) => content.kind === "audio" && by !== 1);
    const voice = voices[Math.floor(random() * voices.length)];
    if (!voice) return;
    const from = Math.floor(random() * 10) * 1000;
    const to = Math.min(VOICE_MS, from + 3000);
    this.session.playbackProgress.played(voice.n, from, to);
    this.played.set(voice.n, covered(this.played.get(voice.n) ?? [], from, to));
    if (random() < 0.5) this.session.playbackProgress.flush();
  }

  say(): void {
    if (this.session.store.get().phase !== "ready") return;
    const text = `${this.name}${this.said.length}`;
    this.said.push(text);
    this.session.say({ kind: "text", text });
  }
}

class World {
  readonly clock = new ManualClock();
  readonly random: () => number;
  readonly server = new ModelServer();
  readonly devices: Device[];

  constructor(seed: number) {
    this.random = seeded(seed);
    this.devices = [new Device("x", this), new Device("y", this)];
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.random() * list.length)];
  }

  get #live(): Pipe[] {
    return this.server.pipes.filter((pipe) => !pipe.closed);
  }

  async step(): Promise<void> {
    const pipe = this.#pick(this.#live);
    const acts: (() => unknown)[] = [
      () => this.#pick(this.devices)?.say(),
      () => this.#pick(this.devices)?.say(),
      () => this.server.append(2, `agent ${this.server.log.length}`),
      () => this.random() < 0.3 && this.server.speak(2),
      () => this.random() < 0.3 && this.server.scan(this.random() < 0.8 ? "clean" : "blocked"),
      () => this.#pick(this.devices)?.listen(this.random),
      () => this.server.hear(
        Math.ceil(this.random() * this.server.log.length), 2, [[0, Math.floor(this.random() * VOICE_MS)]],
      ),
      () => pipe?.open(),
      () => pipe?.open(),
      () => pipe?.take(),
      () => pipe?.take(),
      () => pipe?.take(),
      () => pipe?.give(),
      () => pipe?.give(),
      () => pipe?.give(),
      () => pipe && this.#disturb(pipe),
      () => this.random() < 0.3 && pipe?.drop(),
      () => this.random() < 0.1 && this.#pick(this.devices)?.reload(),
      () => this.clock.advance(Math.floor(this.random() * 2000)),
    ];
    await this.#pick(acts)?.();
    await settle();
  }

  /** Loses, repeats or reorders a delivery in flight. */
  #disturb(pipe: Pipe): void {
    const at = pipe.down.findIndex((frame) => "events" in frame && !("page" in frame));
    const frame = pipe.down[at];
    if (!frame) return;
    const kind = Math.floor(this.random() * 3);
    if (kind === 0) pipe.down.splice(at, 1);
    if (kind === 1) pipe.down.push(frame);
    if (kind === 2) pipe.down.push(...pipe.down.splice(at, 1));
  }

  /** All links are cut once and then hold; everything on the way arrives. */
  async heal(): Promise<void> {
    for (const pipe of this.#live) pipe.drop();
    for (let round = 0; round < 120; round++) {
      await this.clock.advance(500);
      for (const pipe of this.#live) {
        if (!pipe.ready && pipe.up.length === 0) pipe.open();
        while (pipe.up.length > 0) pipe.take();
        while (pipe.down.length > 0 && !pipe.closed) pipe.give();
      }
      await settle();
    }
  }
}

/**
 * Whatever was played on any device, and was not lost with a page, is what the server knows; and all devices know what
 * the server knows.
 */
function checkHeard(world: World): void {
  const [rows, whole] = [
    world.server.heardRows as [number, number, number, number][],
    world.devices.map(({ session }) => session.store.get().timeline),
  ];
  for (const timeline of whole) {
    const held = [...timeline.played.values()].flat().map(
      ({ n, by, percent, listened }) => [n, by, percent, listened ? 1 : 0]
    );
    assert.deepEqual(held.sort(), rows, "a device knows something else of what was played than the server");
  }
  for (const { played } of world.devices) {
    for (const [n, spans] of played) {
      const tenths = Array.from(
        { length: 10 }, (_, i) => spans.some(([from, to]) => from <= i * 1000 && to >= (i + 1) * 1000),
      ).filter(Boolean).length;
      const known = rows.find(([of, by]) => of === n && by === 1)?.[2] ?? 0;
      assert(known >= tenths * 10, `message ${n}: ${tenths * 10} % was played, the server knows ${known} %`);
    }
  }
}

/** Every voice message stands as the scanner said, for everybody. */
function checkScans(world: World): void {
  const verdict = new Map(world.server.log.flatMap((event) => {
    const scanned = event["scanned"] as { of: number; verdict: string } | undefined;
    return scanned ? [[scanned.of, scanned.verdict] as const] : [];
  }));
  for (const { session } of world.devices) {
    const rows = thread(session.store.get().timeline, [], { me: 1, online: true, dayOf: () => "" });
    for (const row of rows) {
      if (row.row !== "bubble" || row.said.kind !== "audio") continue;
      const said = verdict.get(row.n);
      assert.equal(row.said.audio.scan, said === undefined ? "pending" : said === "clean" ? undefined : said);
    }
  }
}

const plain = (events: readonly ConversationEvent[]): unknown[] => events.map(
  ({ n, by, content }) => ({ n, by, text: content.kind === "text" ? content.text : "" })
);

function checkPart(world: World): void {
  const log = world.server.log.map(({ n, by, text }) => ({ n, by, text: text ?? "" }));
  for (const { session } of world.devices) {
    const { events, cursor } = session.store.get().timeline;
    assert.deepEqual(plain(events), events.map((event) => log[event.n - 1]), "what is shown is not the server's");
    const first = events[0]?.n ?? 1;
    const held = events.filter((event) => event.n <= cursor).length;
    if (cursor > 0) assert.equal(held, cursor - first + 1, "something below the cursor is missing");
  }
}

function checkWhole(world: World): void {
  checkPart(world);
  const { log } = world.server;
  for (const device of world.devices) {
    const { timeline, pending } = device.session.store.get();
    assert.equal(timeline.cursor, log.length);
    assert.equal(timeline.events[timeline.events.length - 1]?.n ?? 0, log.length);
    assert.deepEqual(pending, []);
    const played = log.map((event) => String(event["text"] ?? "")).filter((text) => text.startsWith(device.name));
    assert.deepEqual(played, device.said, "lost, doubled or reordered");
  }
  checkHeard(world);
  checkScans(world);
}

describe("Whatever happens on the way", () => {
  test(`all devices end with the server's log, and every message is said once (${SEEDS} seeds)`, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const world = new World(seed);
      try {
        for (let step = 0; step < STEPS; step++) {
          await world.step();
          checkPart(world);
        }
        await world.heal();
        checkWhole(world);
        assert(world.server.log.length > 20, "the run said too little to prove anything");
      } catch (error) {
        throw new Error(`seed ${seed}: ${String(error)}`);
      } finally {
        for (const device of world.devices) device.session.stop();
      }
    }
  });
});
