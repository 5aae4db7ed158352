import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AgentSession } from "../../client/agent/agent-session";
import { PAGE_SIZE } from "../../client/agent/agent-thread";
import type { Thread } from "../../client/agent/agent-thread";
import { WATCHED_LIMIT } from "../../client/agent/watched-conversations";
import { SignedOut } from "../../client/core/connection";
import { MemoryStore } from "../../client/core/ports";
import { FakeSocket, ManualClock, seeded, settle } from "../support/support";

const ME = "agent-id";
const dana = { by: 2, role: "agent", name: "Dana", id: ME };
const row = (c: string, more: object = {}): object => (
  { c, p: 1, status: "waiting", who: c, n: 2, at: 1, since: 1, unread: 1, ...more }
);
const said = (n: number, by: number, text: string): object => ({ n, at: n, by, text });
const joined = (n: number): object => ({ n, at: n, by: 2, joined: { role: "agent", name: "Dana", id: ME } });

/** An agent session and a server that sends what the test says. */
class Bench {
  readonly clock = new ManualClock();
  readonly sockets: FakeSocket[] = [];
  readonly session: AgentSession;
  signedOut = false;

  constructor(readonly storage = new MemoryStore(), seed = 1) {
    this.session = new AgentSession({
      account: "demo", me: ME, storage, clock: this.clock, random: seeded(seed),
      open: () => {
        const socket = new FakeSocket();
        this.sockets.push(socket);
        return socket;
      },
      ticket: () => (this.signedOut ? Promise.reject(new SignedOut()) : Promise.resolve("T")),
    });
  }

  get socket(): FakeSocket {
    return this.sockets[this.sockets.length - 1] as FakeSocket;
  }

  /** Lets the newest socket come up with these rows. */
  async up(rows: object[] = [row("C")], epoch = "E", fresh = true): Promise<this> {
    this.session.connection.start();
    await settle();
    this.socket.open();
    this.socket.receive({ ready: { epoch, agent: ME, rows, position: 5, fresh } });
    await settle();
    return this;
  }

  /** Loses the socket and gets the next one. */
  async reconnect(epoch = "E"): Promise<void> {
    this.socket.drop();
    await this.clock.advance(60_000);
    await this.up([], epoch, false);
  }

  watching(events: object[], more: object = {}): void {
    this.socket.receive({
      watching: "C", status: "open", who: { name: "Visitor" }, people: [dana], marks: [], events,
      through: events.length, more: false, fresh: true, ...more,
    });
  }

  /** The newest frame of this kind that went out on the newest socket. */
  out(kind: string): Record<string, unknown> | undefined {
    return this.socket.frames.filter((frame) => Object.keys(frame)[0] === kind).pop();
  }

  thread(c = "C"): Thread {
    return this.session.store.get().threads.get(c) as Thread;
  }

  texts(): string[] {
    return this.thread().timeline.events.map(({ content }) => (content.kind === "text" ? content.text : content.kind));
  }
}

describe("An agent session", () => {
  test("says hello with its ticket, and later with its cursor", async () => {
    const bench = await new Bench().up();
    assert.deepEqual(bench.out("hello"), { hello: { ticket: "T" } });
    await bench.reconnect();
    assert.deepEqual(bench.out("hello"), { hello: { ticket: "T", position: 5, epoch: "E" } });
  });

  test("stops for good when the session is over, and goes on with a new one", async () => {
    const bench = await new Bench().up();
    bench.signedOut = true;
    bench.socket.drop();
    await bench.clock.advance(60_000);
    assert.equal(bench.session.store.get().link, "stopped");
    bench.signedOut = false;
    await bench.up([], "E", false);
    assert.equal(bench.session.store.get().link, "online");
  });

  test("watches what is opened, again after a reconnect, from where it stands", async () => {
    const bench = await new Bench().up();
    bench.session.open("C");
    assert.deepEqual(bench.out("watch"), { watch: "C" });
    bench.watching([said(1, 1, "one"), said(2, 1, "two")]);
    await bench.reconnect();
    assert.deepEqual(bench.out("watch"), { watch: "C", after: 2 });
    assert.equal(bench.thread().phase, "stale");
    bench.watching([said(3, 1, "three")], { fresh: false, through: 3 });
    assert.deepEqual(bench.texts(), ["one", "two", "three"]);
    assert.equal(bench.thread().phase, "live");
  });

  test("forgets another life of the log", async () => {
    const bench = await new Bench().up();
    bench.session.open("C");
    bench.watching([said(1, 1, "one")]);
    await bench.reconnect("F");
    assert.deepEqual(bench.out("watch"), { watch: "C" });
    assert.equal(bench.thread().phase, "loading");
    assert.equal(bench.session.store.get().inbox.rows.size, 0);
  });

  test("watches so many at a time and no more", async () => {
    const bench = await new Bench().up();
    for (let i = 0; i <= WATCHED_LIMIT; i++) bench.session.open(`C${i}`);
    assert.deepEqual(bench.out("unwatch"), { unwatch: "C0" });
    assert.equal(bench.session.store.get().threads.size, WATCHED_LIMIT);
    bench.session.open("C5");
    assert.deepEqual(bench.out("watch"), { watch: `C${WATCHED_LIMIT}` });
  });

  test("a refused watch names its conversation, in whatever order the answers arrive", async () => {
    const bench = await new Bench().up();
    bench.session.open("mine");
    bench.session.open("foreign");
    bench.socket.receive({ problem: { code: "not_found", text: "", c: "foreign" } });
    bench.socket.receive({
      watching: "mine", status: "open", who: { name: "Visitor" }, people: [], marks: [], events: [], through: 0,
      more: false, fresh: true,
    });
    assert.equal(bench.thread("mine").phase, "live");
    assert.equal(bench.thread("foreign").phase, "gone");
  });

  test("a refusal that names no conversation ends no watch", async () => {
    const bench = await new Bench().up();
    bench.session.open("mine");
    bench.socket.receive({ problem: { code: "not_found", text: "" } });
    assert.equal(bench.thread("mine").phase, "loading");
  });

  test("a refusal that names a conversation that is already shown leaves it as it is", async () => {
    const bench = await new Bench().up();
    bench.session.open("C");
    bench.watching([said(1, 1, "one")], { through: 1 });
    bench.socket.receive({ problem: { code: "rate_limited", text: "", c: "C" } });
    assert.equal(bench.thread("C").phase, "live");
  });

  test("asks for older messages once at a time, and not where there are none", async () => {
    const bench = await new Bench().up();
    bench.session.open("C");
    bench.watching([said(9, 1, "nine")], { through: 9, more: true });
    bench.session.older("C");
    bench.session.older("C");
    assert.equal(bench.socket.frames.filter((frame) => "page" in frame).length, 1);
    assert.deepEqual(bench.out("page"), { page: "C", before: 9, limit: PAGE_SIZE });
    bench.socket.receive({ page: "C", events: [said(8, 1, "eight")], more: false });
    assert.deepEqual(bench.texts(), ["eight", "nine"]);
    bench.session.older("C");
    assert.equal(bench.socket.frames.filter((frame) => "page" in frame).length, 1);
  });

  test("a page that nobody asked for changes nothing", async () => {
    const bench = await new Bench().up();
    bench.session.open("C");
    bench.watching([said(9, 1, "nine")], { through: 9, more: true });
    bench.socket.receive({ page: "C", events: [], more: false });
    assert.equal(bench.thread().timeline.more, true);
  });
});

describe("What an agent says", () => {
  test("becomes an event with the answer, and is not there twice when the server delivers it too", async () => {
    const bench = await new Bench().up();
    bench.session.open("C");
    bench.watching([said(1, 1, "one")], { people: [] });
    bench.session.say("C", "two");
    const key = bench.out("send")?.["send"];
    bench.socket.receive({ events: [joined(2), { n: 3, at: 3, by: 2, assigned: { to: 2 } }], c: "C" });
    bench.socket.receive({ ok: key, n: 4, at: 4, c: "C" });
    bench.socket.receive({ events: [said(4, 2, "two")], c: "C" });
    assert.deepEqual(bench.texts(), ["one", "joined", "assigned", "two"]);
    assert.equal(bench.thread().timeline.events[3]?.by, 2);
    assert.equal(bench.session.store.get().outbox.length, 0);
    assert.equal(bench.session.commands.keyOf("C", 4), key);
  });

  test("goes out again under its key after a lost connection, and after a reload", async () => {
    const bench = await new Bench().up();
    bench.session.say("C", "once");
    const key = bench.out("send")?.["send"];
    await bench.reconnect();
    assert.equal(bench.out("send")?.["send"], key);
    const reloaded = await new Bench(bench.storage, 2).up();
    assert.equal(reloaded.out("send")?.["send"], key);
  });

  test("waits for the connection when there is none", async () => {
    const bench = new Bench();
    bench.session.say("C", "early");
    assert.equal(bench.sockets.length, 0);
    await bench.up();
    assert.equal(bench.out("send")?.["text"], "early");
  });

  test("comes back as a draft, in front of what is being written, when somebody else was faster", async () => {
    const bench = await new Bench().up();
    bench.session.say("C", "mine");
    bench.session.draft("C", "more", false);
    bench.socket.receive(
      { no: bench.out("send")?.["send"], code: "not_assigned", text: "Lee answers this conversation.", c: "C" }
    );
    const { drafts, outbox, problems } = bench.session.store.get();
    assert.equal(drafts.get("C"), "mine\nmore");
    assert.equal(outbox.length, 0);
    assert.deepEqual(problems.get("C"), { code: "not_assigned", text: "Lee answers this conversation.", kept: true });
  });

  test("stays, to be tried again under the same key, when the server could not store it", async () => {
    const bench = await new Bench().up();
    bench.session.say("C", "later");
    const key = String(bench.out("send")?.["send"]);
    bench.socket.receive({ no: key, code: "unavailable", text: "", c: "C" });
    assert.equal(bench.session.store.get().outbox[0]?.refused?.code, "unavailable");
    bench.session.commands.retry(key);
    assert.equal(bench.socket.frames.filter((frame) => frame["send"] === key).length, 2);
    assert.equal(bench.session.store.get().outbox[0]?.refused, undefined);
  });

  test("is a draft again when it is given up", async () => {
    const bench = await new Bench().up();
    bench.session.say("C", "no");
    const key = String(bench.out("send")?.["send"]);
    bench.socket.receive({ no: key, code: "unavailable", text: "", c: "C" });
    bench.session.commands.discard(key);
    assert.equal(bench.session.store.get().drafts.get("C"), "no");
    assert.equal(bench.session.store.get().outbox.length, 0);
  });

  test("a draft survives a reload; signing out leaves nothing", async () => {
    const bench = await new Bench().up();
    bench.session.draft("C", "half a", false);
    bench.session.say("D", "still in flight");
    assert.equal(new Bench(bench.storage).session.store.get().drafts.get("C"), "half a");
    bench.session.erase();
    assert.deepEqual(bench.storage.keys(), []);
  });
});

describe("What an agent has seen", () => {
  test("is told for the conversation that a person looks at; of the others only that it arrived", async () => {
    const bench = await new Bench().up([row("C", { status: "open", to: ME })]);
    bench.session.open("C");
    bench.watching([said(1, 1, "one")]);
    await bench.clock.advance(2000);
    assert.deepEqual([bench.out("got"), bench.out("read")], [{ got: 1, c: "C" }, undefined]);
    bench.session.look("C");
    await bench.clock.advance(2000);
    assert.deepEqual(bench.out("read"), { read: 1, c: "C" });
  });

  test("is nobody's business before the agent takes part", async () => {
    const bench = await new Bench().up();
    bench.session.open("C");
    bench.watching([said(1, 1, "one")], { people: [] });
    bench.session.look("C");
    await bench.clock.advance(2000);
    assert.equal(bench.out("read"), undefined);
    bench.socket.receive({ events: [joined(2)], c: "C" });
    await bench.clock.advance(2000);
    assert.deepEqual(bench.out("read"), { read: 2, c: "C" });
  });

  test("typing shows until it fades, and ends with what was typed", async () => {
    const bench = await new Bench().up();
    bench.session.open("C");
    bench.watching([said(1, 1, "one")]);
    bench.socket.receive({ typing: 1, c: "C" });
    assert.deepEqual(bench.thread().typing, [1]);
    await bench.clock.advance(7000);
    assert.deepEqual(bench.thread().typing, []);
    bench.socket.receive({ typing: 1, c: "C" });
    bench.socket.receive({ events: [said(2, 1, "two")], c: "C" });
    assert.deepEqual(bench.thread().typing, []);
  });
});

describe("The commands of an agent session", () => {
  test("goes out with a key, and again after the connection broke, until it is answered", async () => {
    const bench = await new Bench().up();
    bench.session.ask("C", { transfer: { skill: "orders", note: "hers" } });
    const first = bench.out("ask");
    assert.deepEqual({ ...first, ask: "" }, { ask: "", c: "C", transfer: { skill: "orders", note: "hers" } });
    await bench.reconnect();
    assert.deepEqual(bench.out("ask"), first);
    bench.socket.receive({ ok: first?.["ask"], n: 4, at: 9, c: "C" });
    await settle();
    assert.deepEqual(bench.session.store.get().outbox, []);
  });

  test("a note that was refused goes back into the draft of the note, never into that of the reply", async () => {
    const bench = await new Bench().up();
    bench.session.ask("C", { note: { text: "psst" } });
    bench.socket.receive({ no: bench.out("ask")?.["ask"], code: "forbidden", text: "", c: "C" });
    await settle();
    const { drafts, problems } = bench.session.store.get();
    assert.deepEqual([...drafts], [["note C", "psst"]]);
    assert.equal(problems.get("C")?.kept, true);
  });

  test("survives a reload of the page", async () => {
    const storage = new MemoryStore();
    await (await new Bench(storage).up()).session.ask("C", { callback: 900 });
    const next = await new Bench(storage, 2).up();
    assert.equal(next.out("ask")?.["callback"], 900);
  });

  test("how I stand is told to routing, and what routing says of me is kept", async () => {
    const bench = await new Bench().up();
    assert.equal(bench.session.present("away", "Break"), true);
    assert.deepEqual(bench.out("state"), { state: "away", reason: "Break" });
    bench.socket.receive(
      {
        me: {
          id: ME,
          name: "Dana",
          role: "agent",
          presence: { state: "away", reason: "Break", since: 3 },
          skills: [],
          load: 0,
          capacity: 3,
          open: 0,
        },
      }
    );
    bench.socket.receive({ centre: 7 });
    await settle();
    assert.equal(bench.session.store.get().standing?.presence.reason, "Break");
    assert.equal(bench.session.store.get().centre, 7);
    bench.socket.drop();
    await settle();
    assert.equal(bench.session.present("online"), false);
  });

  test("who only watches marks nothing, whatever they wrote to colleagues", async () => {
    const bench = await new Bench().up();
    bench.session.open("C");
    bench.session.look("C");
    bench.watching(
      [
        said(1, 1, "hi"),
        { n: 2, at: 2, by: 2, joined: { role: "agent", name: "Dana", id: ME, quiet: true } },
        { n: 3, at: 3, by: 2, note: { text: "psst" } },
      ]
    );
    await bench.clock.advance(5000);
    assert.deepEqual([bench.out("got"), bench.out("read")], [undefined, undefined]);
  });
});
