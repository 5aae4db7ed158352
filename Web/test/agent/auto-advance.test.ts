import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AutoAdvance, nextOfMine } from "../../client/agent/closing/auto-advance";
import type { RoutingInfo } from "../../client/agent/agent-events";
import { emptyInbox, IDLE_MS, SOON_MS, withRows } from "../../client/agent/inbox";
import { emptyState, type AgentState } from "../../client/agent/agent-state";
import type { InboxRow } from "../../client/conversation/events";
import type { Command } from "../../client/core/wire";

const NOW = 10_000_000;
const who = { me: "me", skills: undefined };
const row = (c: string, more: Partial<InboxRow> = {}): InboxRow => ({
  c, p: 1, status: "open", to: "me", who: c, channel: "web", app: "shop", n: 2, at: NOW - 1, since: 0, unread: 0,
  unplayed: 0, last: { by: 2, text: "hello" }, ...more,
});
const due = (at: number): { routing: RoutingInfo } => (
  { routing: { tags: [], mentioned: [], skill: "orders", due: at } }
);

const at = (rows: readonly InboxRow[], command?: Command, code?: string): AgentState => ({
  ...emptyState("me"), inbox: withRows(emptyInbox, rows, 9, true), outbox: command === undefined ? [] : [
    { key: "k", c: "a", command, at: NOW, order: 1 },
  ],
  problems: new Map(code === undefined ? [] : [["a", { code, text: "", kept: false }]]),
});
const CLOSE: Command = { kind: "close" };
const QUIETLY: Command = { kind: "ask", ask: { closeQuietly: {} } };
const CLOSED = row("a", { status: "closed", p: 2 });

describe("What I close", () => {
  test("is done when the server says so, once, and not when it was only asked", () => {
    const closing = new AutoAdvance();
    assert.deepEqual(
      [
        at([row("a")]), at([row("a")], CLOSE), at([row("a")]), at([CLOSED]), at([CLOSED]),
      ].map((state) => closing.done(state)),
      [[], [], [], [{ c: "a", own: true }], []],
    );
  });

  test("is done too where the row comes before the answer, and where no survey is asked for", () => {
    for (const command of [CLOSE, QUIETLY]) {
      const closing = new AutoAdvance();
      assert.deepEqual(
        [at([row("a")], command), at([CLOSED], command), at([CLOSED])].map((state) => closing.done(state)),
        [[], [{ c: "a", own: true }], []],
      );
    }
  });

  test("is not done where the server says no, also not when it is closed later by itself", () => {
    const closing = new AutoAdvance();
    assert.deepEqual(
      [
        at([row("a")], CLOSE), at([row("a")], undefined, "disposition_required"), at([CLOSED]),
      ].map((state) => closing.done(state)),
      [[], [], []],
    );
  });

  test("is not my own where a manager closes it for somebody; none is what others close, or what else is asked", () => {
    const theirs = new AutoAdvance();
    assert.deepEqual(
      [at([row("a", { to: "other" })], CLOSE), at([CLOSED])].map((state) => theirs.done(state)),
      [[], [{ c: "a", own: false }]],
    );
    const others = new AutoAdvance();
    assert.deepEqual([at([row("a")]), at([CLOSED])].map((state) => others.done(state)), [[], []]);
    const noted = new AutoAdvance();
    assert.deepEqual(
      [at([row("a")], { kind: "ask", ask: { urgent: true } }), at([CLOSED])].map((state) => noted.done(state)),
      [[], []],
    );
  });
});

describe("The next one of mine", () => {
  const idle = row("idle", { at: NOW - IDLE_MS });
  const rows = [
    row("a", due(NOW - 9)),
    idle,
    row("ongoing", due(NOW + SOON_MS + 1)),
    row("soon", due(NOW + SOON_MS)),
    row("over", due(NOW)),
  ];

  test("is the one with the least time left: overdue, soon, ongoing, idle", () => {
    const order: string[] = [];
    for (let left = rows; left.length > 1; left = left.filter(({ c }) => c !== order[order.length - 1])) {
      order.push(nextOfMine(at(left).inbox, who, NOW, "a")?.c ?? "");
    }
    assert.deepEqual(order, ["over", "soon", "ongoing", "idle"]);
  });

  test("is none where nothing else is mine, whatever waits or rings", () => {
    const others = [
      row("a"),
      row("theirs", { to: "other" }),
      row("waits", { status: "waiting" }),
      row("closed", { status: "closed" }),
    ];
    assert.equal(nextOfMine(at(others).inbox, who, NOW, "a"), undefined);
  });
});
