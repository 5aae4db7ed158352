import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConsumerSession } from "../../client/consumer/consumer-session";
import { MemoryStore } from "../../client/core/ports";
import type { KeyValue } from "../../client/core/ports";
import {
  GOT_AFTER_MS, READ_AFTER_MS, Signals, TypingList, TYPING_EVERY_MS, TYPING_FADES_MS,
} from "../../client/conversation/ephemeral-signals";
import { scalars } from "../../client/core/text";
import { thread } from "../../client/conversation/thread";
import type { Bubble } from "../../client/conversation/thread";
import { FakeSocket, ManualClock, settle } from "../support/support";

const ME = {
  token: "T",
  consumer: "c",
  conversation: "C",
  brand: { name: "B", color: "#123456", welcome: "Hi" },
  limits: { text: 2000, audioMs: 1, audioBytes: 1 },
};
const READY = {
  epoch: "E",
  me: 1,
  status: "open",
  people: [{ by: 2, role: "agent", name: "Dana" }],
  marks: [[2, 1, 0]],
  events: [{ n: 1, at: 1, by: 2, text: "Hello" }],
  through: 1,
  more: false,
};

class Rig {
  readonly clock = new ManualClock();
  readonly sockets: FakeSocket[] = [];
  readonly requests: string[] = [];
  readonly bodies: unknown[] = [];
  zone?: string;
  answers: (() => Response)[] = [];
  session: ConsumerSession;

  constructor(readonly storage: KeyValue = new MemoryStore()) {
    this.session = this.load();
  }

  load(): ConsumerSession {
    return new ConsumerSession({
      account: "demo",
      app: "shop",
      ...(this.zone ? { zone: this.zone } : {}),
      fetch: async (url, init) => {
        this.requests.push(url);
        this.bodies.push(JSON.parse(String(init?.body)));
        return (this.answers.shift() ?? (() => new Response(JSON.stringify(ME), { status: 200 })))();
      },
      socket: () => {
        const socket = new FakeSocket();
        this.sockets.push(socket);
        return socket;
      },
      storage: this.storage,
      clock: this.clock,
      random: () => 0.5,
    });
  }

  get socket(): FakeSocket {
    const socket = this.sockets[this.sockets.length - 1];
    assert(socket, "no socket was opened");
    return socket;
  }

  async online(ready: object = READY): Promise<void> {
    await this.session.start();
    await settle();
    this.socket.open();
    this.socket.receive({ ready });
  }

  rows(): Bubble[] {
    const { timeline, pending, link } = this.session.store.get();
    const rows = thread(
      timeline, pending, { me: 1, online: link === "online", dayOf: () => "", keyOf: this.session.keyOf },
    );
    return rows.filter((row): row is Bubble => row.row === "bubble");
  }
}

const failing = (status: number, code = "x"): (() => Response) => () => new Response(
  JSON.stringify({ error: { code, text: "", request: "r" } }), { status },
);

describe("A consumer's session", () => {
  test("makes a consumer once and comes back with its token", async () => {
    const rig = new Rig();
    await rig.online();
    rig.session = rig.load();
    await rig.online();
    assert.deepEqual(rig.requests, ["/v1/consumers", "/v1/consumers/me"]);
  });

  test("sends the consumer's time zone when they begin and when they return from elsewhere", async () => {
    const rig = new Rig();
    await rig.online();
    rig.zone = "Europe/Berlin";
    rig.session = rig.load();
    await rig.online();
    rig.zone = "Asia/Tokyo";
    rig.answers = [failing(401, "not_signed_in")];
    rig.session = rig.load();
    await rig.online();
    assert.deepEqual(
      rig.bodies,
      [
        { account: "demo", app: "shop" },
        { zone: "Europe/Berlin" },
        { zone: "Asia/Tokyo" },
        { account: "demo", app: "shop", zone: "Asia/Tokyo" },
      ],
    );
  });

  test("keeps what is said before it knows who says it", async () => {
    const rig = new Rig();
    rig.session.say({ kind: "text", text: "said at once" });
    await rig.online();
    assert.deepEqual(
      rig.rows().filter((row) => row.own).map((row) => row.said.kind === "text" && row.said.text), ["said at once"],
    );
    assert.equal(rig.socket.sent.filter((frame) => frame.includes("said at once")).length, 1);
  });

  test("starts again when the stored token is no longer valid", async () => {
    const rig = new Rig();
    await rig.online();
    rig.session = rig.load();
    rig.answers = [failing(401, "not_signed_in")];
    await rig.online();
    assert.deepEqual(rig.requests.slice(1), ["/v1/consumers/me", "/v1/consumers"]);
    assert.equal(rig.session.store.get().phase, "ready");
  });

  test("keeps the former consumer stored when it starts again", async () => {
    const rig = new Rig();
    await rig.online();
    const before = rig.storage.get("earshot.demo.shop.me");
    rig.session = rig.load();
    rig.answers = [failing(401, "not_signed_in")];
    await rig.online();
    assert.equal(rig.storage.get("earshot.demo.shop.former"), before);
    assert.notEqual(before, undefined);
  });

  test("keeps its token while the server's clock is wrong, and tries again", async () => {
    const rig = new Rig();
    await rig.online();
    const kept = rig.storage.get("earshot.demo.shop.me");
    rig.session = rig.load();
    rig.answers = [failing(503, "not_yet_valid"), failing(503, "not_yet_valid")];
    await rig.session.start();
    assert.deepEqual([rig.storage.get("earshot.demo.shop.me"), rig.session.store.get().phase], [kept, "ready"]);
    await rig.clock.advance(20_000);
    assert.deepEqual(rig.requests.slice(1), ["/v1/consumers/me", "/v1/consumers/me", "/v1/consumers/me"]);
    assert.equal(rig.storage.get("earshot.demo.shop.former"), undefined);
  });

  test("keeps its token where something in between asks for credentials", async () => {
    const rig = new Rig();
    await rig.online();
    const kept = rig.storage.get("earshot.demo.shop.me");
    rig.session = rig.load();
    rig.answers = [failing(401, "")];
    await rig.session.start();
    assert.deepEqual(rig.requests.slice(1), ["/v1/consumers/me"]);
    assert.deepEqual([rig.storage.get("earshot.demo.shop.me"), rig.storage.get("earshot.demo.shop.former")], [
      kept, undefined,
    ]);
  });

  test("says that it is not allowed, and does not try again", async () => {
    const rig = new Rig();
    rig.answers = [failing(403)];
    await rig.session.start();
    await rig.clock.advance(100_000);
    assert.equal(rig.session.store.get().phase, "refused");
    assert.equal(rig.requests.length, 1);
  });

  test("keeps trying while the server cannot be reached", async () => {
    const rig = new Rig();
    rig.answers = [failing(503), failing(503)];
    await rig.session.start();
    assert.equal(rig.session.store.get().phase, "unreachable");
    await rig.clock.advance(10_000);
    assert.equal(rig.session.store.get().phase, "ready");
  });

  test("ends when the server no longer knows its token, and starts again when asked", async () => {
    const rig = new Rig();
    await rig.online();
    rig.socket.drop(4401);
    assert.equal(rig.session.store.get().phase, "ended");
    await rig.session.renew();
    assert.equal(rig.requests[rig.requests.length - 1], "/v1/consumers");
  });

  test("shows what was said at once, and as sent when the server says so, as the same bubble", async () => {
    const rig = new Rig();
    await rig.online();
    rig.session.say({ kind: "text", text: "Hi" });
    const [, before] = rig.rows();
    assert.equal(before?.delivery, "sending");
    const key = String(rig.socket.frames[1]?.["send"]);
    rig.socket.receive({ ok: key, n: 2, at: 5 });
    const [, after] = rig.rows();
    assert.equal(after?.delivery, "sent");
    assert.equal(after?.id, before?.id);
    rig.socket.receive({ marks: [[2, 2, 1]] });
    assert.equal(rig.rows()[1]?.delivery, "delivered");
    rig.socket.receive({ marks: [[2, 2, 2]] });
    assert.equal(rig.rows()[1]?.delivery, "read");
  });

  test("sends again with the same keys, in order, after a reconnect", async () => {
    const rig = new Rig();
    await rig.online();
    rig.session.say({ kind: "text", text: "one" });
    rig.session.say({ kind: "text", text: "two" });
    const first = rig.socket.frames.slice(1);
    rig.socket.drop();
    assert.equal(rig.rows()[1]?.delivery, "waiting");
    await rig.clock.advance(1000);
    rig.socket.open();
    assert.deepEqual(rig.socket.frames[0], { hello: { token: "T", after: 1, epoch: "E" } });
    rig.socket.receive({ ready: { ...READY, events: [] } });
    assert.deepEqual(rig.socket.frames.slice(1), first);
  });

  test("survives a reload with something unsent", async () => {
    const rig = new Rig();
    await rig.online();
    rig.session.say({ kind: "text", text: "one" });
    const sent = rig.socket.frames[1];
    rig.session.stop();
    rig.session = rig.load();
    await rig.online();
    assert.deepEqual(rig.socket.frames[1], sent);
  });

  test("never shows a message twice when its answer was lost", async () => {
    const rig = new Rig();
    await rig.online();
    rig.session.say({ kind: "text", text: "Hi" });
    const key = String(rig.socket.frames[1]?.["send"]);
    rig.socket.drop();
    await rig.clock.advance(1000);
    rig.socket.open();
    rig.socket.receive({ ready: { ...READY, events: [{ n: 2, at: 5, by: 1, text: "Hi" }], through: 2 } });
    assert.equal(rig.rows().length, 2);
    rig.socket.receive({ ok: key, n: 2, at: 5 });
    assert.equal(rig.rows().length, 2);
    assert.deepEqual(rig.session.store.get().pending, []);
  });

  test("shows why a message was refused, and tries again when asked", async () => {
    const rig = new Rig();
    await rig.online();
    rig.session.say({ kind: "text", text: "Hi" });
    const key = String(rig.socket.frames[1]?.["send"]);
    rig.socket.receive({ no: key, code: "text_too_long", text: "Too long.", limit: 5 });
    assert.equal(rig.rows()[1]?.failed?.code, "text_too_long");
    rig.session.again(key);
    const again = rig.socket.frames[2];
    assert.equal(again?.["text"], "Hi");
    assert.notEqual(again?.["send"], key);
  });

  test("sends again by itself what was refused only for now", async () => {
    const rig = new Rig();
    await rig.online();
    rig.session.say({ kind: "text", text: "Hi" });
    const frame = rig.socket.frames[1];
    rig.socket.receive({ no: String(frame?.["send"]), code: "unavailable", text: "" });
    assert.equal(rig.rows()[1]?.delivery, "sending");
    await rig.clock.advance(5000);
    assert.deepEqual(rig.socket.frames.filter((sent) => "send" in sent), [frame, frame]);
  });

  test("puts the read mark into the answer instead of a frame of its own", async () => {
    const rig = new Rig();
    await rig.online();
    rig.session.seen();
    rig.session.say({ kind: "text", text: "Hi" });
    assert.equal(rig.socket.frames[1]?.["read"], 1);
    await rig.clock.advance(5000);
    assert.equal(rig.socket.frames.length, 2);
  });

  test("works where storage is blocked", async () => {
    const blocked: KeyValue = {
      get: () => undefined,
      set: () => {
        throw new Error("blocked");
      },
      remove: () => {
        throw new Error("blocked");
      },
      keys: () => {
        throw new Error("blocked");
      },
    };
    const rig = new Rig(blocked);
    await rig.online();
    rig.session.say({ kind: "text", text: "Hi" });
    rig.session.draft = "half";
    rig.session.seen();
    assert.equal(rig.rows().length, 2);
  });
});

describe("Signals", () => {
  const rig = (): { clock: ManualClock; sent: string[]; signals: Signals } => {
    const [clock, sent] = [new ManualClock(), [] as string[]];
    return { clock, sent, signals: new Signals(clock, (frame) => sent.push(frame) > 0) };
  };

  test("say typing at most every three seconds, and its end once", async () => {
    const { clock, sent, signals } = rig();
    for (let i = 0; i < 60; i++) {
      signals.typing(true);
      await clock.advance(100);
    }
    signals.typing(false);
    signals.typing(false);
    assert.deepEqual(sent, ['{"typing":true}', '{"typing":true}', '{"typing":false}']);
    assert.equal(TYPING_EVERY_MS, 3000);
  });

  test("say nothing about the end of typing when the message itself says it", () => {
    const { sent, signals } = rig();
    signals.typing(true);
    signals.sent();
    signals.typing(false);
    assert.equal(sent.length, 1);
  });

  test("coalesce what arrived and what was read", async () => {
    const { clock, sent, signals } = rig();
    for (let n = 1; n <= 9; n++) signals.reached(n);
    await clock.advance(GOT_AFTER_MS);
    for (let n = 7; n <= 12; n++) signals.seen(n);
    await clock.advance(READ_AFTER_MS);
    signals.reached(12);
    await clock.advance(5000);
    assert.deepEqual(sent, ['{"got":9}', '{"read":12}']);
  });

  test("are said again to a new socket, which may not have played them", async () => {
    const { clock, sent, signals } = rig();
    signals.seen(3);
    await clock.advance(1000);
    signals.reconnected();
    await clock.advance(1000);
    assert.deepEqual(sent, ['{"read":3}', '{"read":3}']);
  });

  test("of others fade", async () => {
    const clock = new ManualClock();
    let typing: readonly number[] = [];
    const list = new TypingList(clock, (now) => (typing = now));
    list.receive(2, false);
    list.receive(3, false);
    list.receive(3, true);
    assert.deepEqual(typing, [2]);
    await clock.advance(TYPING_FADES_MS);
    assert.deepEqual(typing, []);
  });
});

describe("The counter", () => {
  test("counts as the server does: Unicode scalars", () => {
    assert.deepEqual(["", "abc", "🏕🏕", "é", "👩‍👩‍👧"].map(scalars), [0, 3, 2, 1, 5]);
  });
});
