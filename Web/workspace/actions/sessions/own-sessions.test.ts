import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OwnSessions } from "./own-sessions";

interface Stored {
  readonly id: string;
  readonly current: boolean;
  readonly expires: number;
  readonly since?: number;
  readonly device?: string;
}

const HERE: Stored = { id: "here", current: true, expires: 900, since: 100, device: "Firefox on Linux" };
const PHONE: Stored = { id: "phone", current: false, expires: 950, since: 200, device: "Safari on iPhone" };
const OLD: Stored = { id: "old", current: false, expires: 910 };

/** A server that knows these sessions, and what was asked of it. */
class Server {
  sessions: readonly Stored[] = [PHONE, OLD, HERE];
  readonly asked: string[] = [];
  /** The status with which a request is refused, by method and path. */
  readonly refused = new Map<string, number>();

  readonly fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    const what = `${init?.method} ${url}`;
    this.asked.push(what);
    const status = this.refused.get(what);
    if (status === 0) throw new TypeError("no network");
    if (status !== undefined) return new Response(JSON.stringify({ error: { code: "x", text: "" } }), { status });
    if (init?.method === "GET") return new Response(JSON.stringify({ sessions: this.sessions }));
    const csrf = new Headers(init?.headers).get("x-earshot-csrf");
    if (csrf !== "proof") return new Response("{}", { status: 403 });
    this.sessions = this.sessions.filter(({ id }) => !url.endsWith(`/${id}`));
    return new Response(null, { status: 204 });
  };

  own(): OwnSessions {
    return new OwnSessions(this.fetch, () => "proof");
  }
}

const ids = (own: OwnSessions): readonly string[] | undefined => own.store.get().sessions?.map(({ id }) => id);

describe("One’s own sessions", () => {
  test("begin with the one of this page; the others keep the server’s order", async () => {
    const own = new Server().own();
    assert.equal(ids(own), undefined);
    await own.load();
    assert.deepEqual(ids(own), ["here", "phone", "old"]);
    assert.deepEqual(own.store.get().sessions?.[2], { id: "old", current: false, expires: 910 });
  });

  test("are ended one after the other, and leave the list", async () => {
    const server = new Server();
    const own = server.own();
    await own.load();
    assert.equal(await own.end(["phone", "old"]), 2);
    assert.deepEqual([ids(own), server.sessions.map(({ id }) => id)], [["here"], ["here"]]);
    assert.deepEqual(server.asked.slice(1), ["DELETE /v1/sessions/phone", "DELETE /v1/sessions/old"]);
    assert.equal(own.store.get().ending.size, 0);
  });

  test("count as ended when they ended in the meantime", async () => {
    const server = new Server();
    server.refused.set("DELETE /v1/sessions/phone", 404);
    const own = server.own();
    await own.load();
    assert.equal(await own.end(["phone"]), 1);
    assert.deepEqual([ids(own), own.store.get().problem], [["here", "old"], undefined]);
  });

  test("stay in the list when ending them fails, and the next ones are not tried", async () => {
    const server = new Server();
    server.refused.set("DELETE /v1/sessions/phone", 0);
    const own = server.own();
    await own.load();
    assert.equal(await own.end(["phone", "old"]), 0);
    assert.deepEqual([ids(own), own.store.get().problem], [["here", "phone", "old"], "notEnded"]);
    assert.equal(server.asked.length, 2);
    server.refused.clear();
    assert.equal(await own.end(["phone"]), 1);
    assert.equal(own.store.get().problem, undefined);
  });

  test("can be loaded again after a failure", async () => {
    const server = new Server();
    server.refused.set("GET /v1/sessions", 503);
    const own = server.own();
    await own.load();
    assert.deepEqual([ids(own), own.store.get().problem], [undefined, "notLoaded"]);
    server.refused.clear();
    await own.load();
    assert.deepEqual([ids(own)?.length, own.store.get().problem], [3, undefined]);
  });
});
