import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConsumerBlock } from "./consumer-block";

/** A server that knows one consumer. */
class Server {
  blocked = false;
  status = 200;
  readonly asked: string[] = [];

  readonly fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    this.asked.push(`${init?.method} ${url} ${String(init?.body ?? "")}`.trim());
    if (this.status !== 200) return new Response("{}", { status: this.status });
    if (init?.method === "PUT") this.blocked = JSON.parse(String(init.body)).blocked === true;
    return new Response(JSON.stringify({ blocked: this.blocked }));
  };

  block(): ConsumerBlock {
    return new ConsumerBlock(this.fetch, () => "proof", "c/1");
  }
}

describe("A consumer’s block", () => {
  test("is unknown until the server told, and then what the server says", async () => {
    const server = new Server();
    server.blocked = true;
    const block = server.block();
    assert.equal(block.store.get().blocked, undefined);
    await block.load();
    assert.deepEqual(block.store.get(), { blocked: true, busy: false, problem: undefined });
    assert.deepEqual(server.asked, ["GET /v1/conversations/c%2F1/block"]);
  });

  test("is set and lifted", async () => {
    const server = new Server();
    const block = server.block();
    await block.load();
    assert.equal(await block.change(true), true);
    assert.deepEqual([server.blocked, block.store.get().blocked], [true, true]);
    assert.equal(await block.change(false), true);
    assert.deepEqual([server.blocked, block.store.get().blocked], [false, false]);
  });

  test("stays what it was when the change is refused", async () => {
    const server = new Server();
    const block = server.block();
    await block.load();
    server.status = 403;
    assert.equal(await block.change(true), false);
    assert.deepEqual(block.store.get(), { blocked: false, busy: false, problem: "notChanged" });
  });

  test("is changed once when the button is pressed twice", async () => {
    const server = new Server();
    const block = server.block();
    await block.load();
    assert.deepEqual(await Promise.all([block.change(true), block.change(true)]), [true, false]);
    assert.equal(server.asked.length, 2);
  });

  test("can be loaded again after a failure", async () => {
    const server = new Server();
    server.status = 503;
    const block = server.block();
    await block.load();
    assert.equal(block.store.get().problem, "notLoaded");
    server.status = 200;
    await block.load();
    assert.deepEqual([block.store.get().blocked, block.store.get().problem], [false, undefined]);
  });
});
