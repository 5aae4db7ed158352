/** What a contact centre tells a consumer, and what a consumer asks of it. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ConsumerSession } from "../../client/consumer/consumer-session";
import type { ConversationEvent } from "../../client/conversation/events";
import { MemoryStore } from "../../client/core/ports";
import { thread } from "../../client/conversation/thread";
import { isShown, laterRows } from "../../widget/conversation/rows";
import { consumerEvent, FakeSocket, ManualClock, settle } from "../support/support";

const ME = {
  token: "T",
  consumer: "c",
  conversation: "C",
  brand: { name: "B", color: "#123456", welcome: "Hi" },
  limits: { text: 2000, audioMs: 1, audioBytes: 1 },
};
const ready = (status: string, ...events: object[]): object =>
  (
    {
      epoch: "E",
      me: 1,
      status,
      people: [{ by: 2, role: "agent", name: "Dana" }],
      marks: [],
      events: events.map((event, i) => ({ n: i + 1, at: 1, by: 2, ...event })),
      through: events.length,
      more: false,
    }
  );

async function session(first: object): Promise<{ session: ConsumerSession; socket: FakeSocket }> {
  const socket = new FakeSocket();
  const made = new ConsumerSession({
    account: "demo", app: "shop", fetch: async () =>
      new Response(JSON.stringify(ME)), socket: () =>
        socket, storage: new MemoryStore(), clock: new ManualClock(), random: () => 0.5,
  });
  await made.start();
  await settle();
  socket.open();
  socket.receive({ ready: first });
  return { session: made, socket };
}

const rows = (of: ConsumerSession): readonly string[] => {
  const { timeline, pending } = of.store.get();
  return thread(
    timeline, pending, { me: 1, online: true, assignments: true, dayOf: () => "", keyOf: of.keyOf, others: laterRows },
  ).filter(isShown)
    .map(
      (row) => (
        row.row === "later"
          ? row.content.kind
          : row.row === "notice" ? row.what : row.row === "bubble" && row.said.kind === "text" ? row.said.text : row.row
      )
    );
};

describe("A consumer of a contact centre", () => {
  test("is told by when somebody answers, on every change, until nothing is awaited", async () => {
    const { session: of, socket } = await session(ready("waiting", { by: 1, text: "Hi" }));
    const open = { open: true, hours: { open: true } };
    socket.receive({ expect: { by: 5, position: 2, ...open } });
    assert.deepEqual(of.store.get().expect, { by: 5, position: 2, ...open });
    socket.receive({ expect: { by: 9, late: true, position: 1, ...open } });
    assert.deepEqual(of.store.get().expect, { by: 9, late: true, position: 1, ...open });
    socket.receive({ expect: null });
    assert.equal(of.store.get().expect, undefined);
  });

  for (const status of ["closed", "waiting"] as const)
    test(`waits for what the server says when they come back, and the conversation is ${status}`, async () => {
      const { session: of, socket } = await session(ready("waiting", { by: 1, text: "Hi" }));
      socket.receive({ expect: { by: 5, open: true, hours: { open: true } } });
      assert(of.store.get().expect);
      socket.receive({ ready: ready(status, { by: 1, text: "Hi" }) });
      assert.equal(of.store.get().expect, undefined);
    });

  test("sees what is said and done, and nothing else", async () => {
    const { session: of } = await session(ready(
      "closed", { by: 1, text: "Hi" }, {
        by: 0, automatic: { on: "welcome", text: "Welcome!" },
      }, { joined: { role: "agent", name: "Dana" } }, { assigned: { to: 2 } },
      { callback: { until: 5 } }, { left: {} }, { closed: { why: "idle" } }, {
        by: 0, surveyed: { question: "?", csat: true, nps: false, words: false, until: 9 },
      }, { by: 1, rated: { csat: 5 } },
      { horoscope: {} },
    ));
    assert.deepEqual(rows(of), ["day", "Hi", "Welcome!", "assigned", "left", "closed", "surveyed"]);
  });

  test("sees a private kind as nothing, even if one came", () => {
    const folder = join(process.env["EARSHOT_ROOT"] ?? ".", "Tests/Fixtures/wire");
    const PRIVATE = ["queued", "offered", "declined", "note", "noticed", "tagged", "attribute", "disposed", "urgent"];
    const events = readdirSync(folder).filter((name) => name.startsWith("event-"))
      .map(
        (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, unknown>
      ).filter((event) => PRIVATE.some((kind) => kind in event));
    assert.equal(new Set(events.flatMap((event) => PRIVATE.filter((kind) => kind in event))).size, PRIVATE.length);
    const parsed = events.map((event) => consumerEvent(event)).filter(
      (event): event is ConversationEvent => event !== undefined
    );
    assert.deepEqual(parsed.filter(({ content }) => content.kind !== "unknown"), []);
  });

  test("ends the conversation, and goes on by writing", async () => {
    const { session: of, socket } = await session(ready("open", { by: 1, text: "Hi" }));
    of.say({ kind: "close" });
    const key = String(socket.frames[1]?.["close"]);
    socket.receive({ events: [{ n: 2, at: 2, by: 1, closed: { why: "consumer" } }] });
    socket.receive({ ok: key, n: 2, at: 2 });
    assert.deepEqual([of.store.get().timeline.status, of.store.get().pending.length], ["closed", 0]);
    of.say({ kind: "text", text: "One more thing" });
    socket.receive({ events: [{ n: 3, at: 3, by: 1, resumed: {} }], through: 3 });
    assert.equal(of.store.get().timeline.status, "waiting");
  });

  test("answers the survey by key, again after a break, and is not bothered when it is over", async () => {
    const { session: of, socket } = await session(
      ready("closed", { by: 1, text: "Hi" }, { closed: {} }, { by: 0, surveyed: { until: 9 } })
    );
    of.say({ kind: "ask", ask: { rate: { csat: 5 } } });
    const frame = socket.frames[1];
    assert.deepEqual([Object.keys(frame ?? {})[0], frame?.["rate"]], ["ask", { csat: 5 }]);
    socket.receive({ no: String(frame?.["ask"]), code: "survey_closed", text: "" });
    assert.deepEqual(of.store.get().pending, []);
  });
});
