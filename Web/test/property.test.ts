import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConsumerSession } from "../client/consumer";
import type { ConversationEvent } from "../client/events";
import { MemoryStore } from "../client/ports";
import { ModelServer } from "./model-server";
import type { Pipe } from "./model-server";
import { ManualClock, seeded, settle } from "./support";

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
    const answer = { token: "T", consumer: "c", conversation: "C", brand: { name: "B", color: "#123456", welcome: "" }, limits: { text: 2000, audioMs: 120000, audioBytes: 1 } };
    const fetch = (): Promise<Response> => Promise.resolve(new Response(JSON.stringify(answer), { status: 201 }));
    const session = new ConsumerSession({ account: "a", app: "s", fetch, socket: () => server.open(), storage: this.storage, clock, random });
    void session.start();
    return session;
  }

  reload(): void {
    this.session.stop();
    this.session = this.load();
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

  /** Loses, repeats or reorders a delivery on its way. */
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

const plain = (events: readonly ConversationEvent[]): unknown[] => events.map(({ n, by, content }) => ({ n, by, text: content.kind === "text" ? content.text : "" }));

function checkPart(world: World): void {
  const log = world.server.log.map(({ n, by, text }) => ({ n, by, text }));
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
    const heard = log.map((event) => String(event["text"])).filter((text) => text.startsWith(device.name));
    assert.deepEqual(heard, device.said, "lost, doubled or reordered");
  }
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
