import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { backoff } from "../../client/core/backoff";
import {
  Connection, QUIET_MS, READY_WITHIN_MS, SignedOut, SILENT_MS, ANSWER_WITHIN_MS,
} from "../../client/core/connection";
import type { ConnectionOptions } from "../../client/core/connection";
import { parseFrame } from "../../client/core/wire";
import { FakeSocket, ManualClock, settle } from "../support/support";

const READY = {
  ready: { epoch: "E", me: 1, status: "new", people: [], marks: [], events: [], through: 0, more: false },
};

class Rig {
  readonly clock = new ManualClock();
  readonly sockets: FakeSocket[] = [];
  readonly links: string[] = [];
  readonly frames: string[] = [];
  readonly connection: Connection;

  constructor(change: Partial<ConnectionOptions> = {}) {
    this.connection = new Connection({
      open: () => {
        const socket = new FakeSocket();
        this.sockets.push(socket);
        return socket;
      },
      clock: this.clock,
      random: () => 0.5,
      hello: () => '{"hello":{}}',
      probe: () => '{"page":null,"before":1,"limit":1}',
      parse: parseFrame,
      frame: (frame) => this.frames.push(frame.kind),
      link: (link, code) => this.links.push(code === undefined ? link : `${link} ${code}`),
      ...change,
    });
  }

  get socket(): FakeSocket {
    const socket = this.sockets[this.sockets.length - 1];
    assert(socket, "no socket was opened");
    return socket;
  }

  async online(): Promise<void> {
    this.connection.start();
    await settle();
    this.socket.open();
    this.socket.receive(READY);
  }
}

describe("A connection", () => {
  test("says hello first and is online when the server is ready", async () => {
    const rig = new Rig();
    await rig.online();
    assert.deepEqual(rig.socket.sent, ['{"hello":{}}']);
    assert.deepEqual(rig.links, ["connecting", "online"]);
    assert.deepEqual(rig.frames, ["ready"]);
  });

  test("sends nothing before it is online", async () => {
    const rig = new Rig();
    rig.connection.start();
    await settle();
    rig.socket.open();
    assert.equal(rig.connection.send("x"), false);
    assert.deepEqual(rig.socket.sent, ['{"hello":{}}']);
  });

  for (const code of [1001, 1006, 1008, 4408, 4409, 4410, 4429]) {
    test(`comes back after close code ${code}`, async () => {
      const rig = new Rig();
      await rig.online();
      rig.socket.drop(code);
      await rig.clock.advance(60_000);
      assert.equal(rig.sockets.length >= 2, true);
    });
  }

  for (const code of [4401, 4403]) {
    test(`does not come back after close code ${code}`, async () => {
      const rig = new Rig();
      await rig.online();
      rig.socket.drop(code);
      await rig.clock.advance(3_600_000);
      assert.equal(rig.sockets.length, 1);
      assert.equal(rig.links[rig.links.length - 1], `stopped ${code}`);
      assert.equal(rig.clock.pending, 0);
    });
  }

  test("waits as long as the server's bye asks, plus jitter", async () => {
    const rig = new Rig();
    await rig.online();
    rig.socket.receive({ bye: { code: "going_away", text: "", after: 5000 } });
    rig.socket.drop(1001);
    await rig.clock.advance(5249);
    assert.equal(rig.sockets.length, 1);
    await rig.clock.advance(1);
    assert.equal(rig.sockets.length, 2);
  });

  test("backs off further with every failure, and from the start after a success", async () => {
    const rig = new Rig();
    await rig.online();
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      rig.socket.drop();
      const [before, count] = [rig.clock.now(), rig.sockets.length];
      while (rig.sockets.length === count) await rig.clock.advance(50);
      waits.push(rig.clock.now() - before);
    }
    assert.deepEqual(waits, [250, 500, 1000, 2000]);
  });

  test("probes when it was quiet for long, and gives the link up when nothing answers", async () => {
    const rig = new Rig();
    await rig.online();
    await rig.clock.advance(QUIET_MS);
    assert.equal(rig.socket.frames[1]?.["before"], 1);
    await rig.clock.advance(SILENT_MS - QUIET_MS - 1);
    assert.equal(rig.links[rig.links.length - 1], "online");
    await rig.clock.advance(1);
    assert.equal(rig.links[rig.links.length - 1], "waiting");
  });

  test("stays when the probe is answered", async () => {
    const rig = new Rig();
    await rig.online();
    for (let i = 0; i < 10; i++) {
      await rig.clock.advance(QUIET_MS);
      rig.socket.receive({ page: "C", events: [], more: false });
    }
    assert.equal(rig.sockets.length, 1);
    assert.equal(rig.links[rig.links.length - 1], "online");
  });

  test("gives a link up on which an owed answer does not come", async () => {
    const rig = new Rig();
    await rig.online();
    rig.connection.send("x", true);
    await rig.clock.advance(ANSWER_WITHIN_MS);
    assert.equal(rig.links[rig.links.length - 1], "waiting");
  });

  test("gives a server up that never says ready", async () => {
    const rig = new Rig();
    rig.connection.start();
    await settle();
    rig.socket.open();
    await rig.clock.advance(READY_WITHIN_MS);
    assert.equal(rig.links[rig.links.length - 1], "waiting");
  });

  test("hears nothing of a socket that it gave up", async () => {
    const rig = new Rig();
    await rig.online();
    const old = rig.socket;
    old.drop();
    await rig.clock.advance(1000);
    old.receive(READY);
    old.drop(4401);
    assert.deepEqual(rig.frames, ["ready"]);
    assert.equal(rig.links.includes("stopped 4401"), false);
  });

  test("stops when there is nothing to say hello with", async () => {
    const rig = new Rig({ hello: () => Promise.reject(new SignedOut()) });
    rig.connection.start();
    await rig.clock.advance(60_000);
    assert.equal(rig.sockets.length, 0);
    assert.equal(rig.links[rig.links.length - 1], "stopped");
  });

  test("does not sit the wait out when the network comes back", async () => {
    const rig = new Rig();
    await rig.online();
    rig.socket.drop();
    rig.connection.retryNow();
    await settle();
    assert.equal(rig.sockets.length, 2);
  });
});

describe("Back-off", () => {
  test("is full jitter under a doubling ceiling", () => {
    assert.equal(backoff(0, () => 0), 0);
    assert.equal(backoff(0, () => 0.999), 499);
    assert.equal(backoff(3, () => 0.5), 2000);
    assert.equal(backoff(50, () => 0.999), 29970);
  });
});
