import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  attention, counts, emptyInbox, IDLE_MS, isUnanswered, listed, nextOf, isOfferedTo, sectionOf, SOON_MS, withRows,
} from "../../client/agent/inbox";
import type { Inbox, Tab } from "../../client/agent/inbox";
import type { RoutingInfo } from "../../client/agent/agent-events";
import type { InboxRow } from "../../client/conversation/events";

const row = (c: string, more: Partial<InboxRow> = {}): InboxRow => ({
  c, p: 1, status: "waiting", who: c, channel: "web", app: "shop", n: 2, at: 1000, since: 1000, unread: 1, unplayed: 0,
  last: { by: 1, text: "hello" }, ...more,
});
const inbox = (...rows: InboxRow[]): Inbox => withRows(emptyInbox, rows, 10, true);
const NOW = 1_000_000;
const who = { me: "me", skills: ["orders"] };
const routing = (more: Partial<RoutingInfo> = {}): { routing: RoutingInfo } => (
  { routing: { tags: [], mentioned: [], skill: "orders", ...more } }
);
const order = (held: Inbox, tab: Tab): string[] => listed(held, tab, who, NOW).flatMap(({ rows }) => names(rows));
const names = (rows: readonly InboxRow[]): string[] => rows.map(({ c }) => c);

describe("An inbox", () => {
  test("keeps the newer of two rows, in whatever order they come", () => {
    const late = withRows(inbox(row("a", { p: 7, status: "open" })), [row("a", { p: 6 })], 11, false);
    assert.equal(late.rows.get("a")?.status, "open");
    assert.equal(late.position, 11);
    assert.equal(withRows(late, [row("a", { p: 8, status: "closed" })], 12, false).rows.get("a")?.status, "closed");
  });

  test("forgets a row that the person sees no longer", () => {
    const held = withRows(inbox(row("a"), row("b")), [row("c")], 11, false, ["a", "unknown"]);
    assert.deepEqual(names([...held.rows.values()]), ["b", "c"]);
  });

  test("never goes back in the feed, but starts again when it is told to", () => {
    const held = inbox(row("a"), row("b"));
    assert.equal(withRows(held, [], 4, false).position, 10);
    const fresh = withRows(held, [row("c")], 4, true);
    assert.deepEqual([names([...fresh.rows.values()]), fresh.position], [["c"], 4]);
  });

  test("is not empty before its rows are here, but unknown", () => {
    assert.equal(emptyInbox.loaded, false);
    assert.equal(inbox().loaded, true);
  });

  test("puts who has waited longest first", () => {
    assert.deepEqual(
      order(inbox(row("young", { since: 900 }), row("old", { since: 100 })), "waiting"), ["old", "young"],
    );
  });

  test("puts what nobody has answered before what only happened lately", () => {
    const mine = { status: "open", to: "me" } as const;
    const rows = inbox(
      row("answered", { ...mine, at: 9000, last: { by: 2, text: "hi" } }),
      row("asked", { ...mine, at: 100, since: 100 }),
    );
    assert.deepEqual(order(rows, "mine"), ["asked", "answered"]);
  });

  test("shows what is closed last, by newest activity, and never what was not said", () => {
    const closed = { status: "closed" } as const;
    const rows = inbox(
      row("waits", { at: 1 }),
      row("early", { at: 2, ...closed }),
      row("late", { at: 3, ...closed }),
      row("nothing", { at: 4, status: "new" }),
    );
    assert.deepEqual(order(rows, "all"), ["waits", "late", "early"]);
    assert.deepEqual(order(rows, "closed"), ["late", "early"]);
  });

  test("counts each tab, and what wants someone", () => {
    const rows = inbox(
      row("waits"), row("elsewhere", routing({ skill: "billing" })), row("mine", { status: "open", to: "me" }), row(
        "read", { status: "open", to: "me", unread: 0 },
      ),
      row("theirs", { status: "open", to: "other", ...routing({ mentioned: ["me"] }) }),
      row("closed", { status: "closed" }));
    assert.deepEqual(counts(rows, who), { waiting: 2, queue: 1, mine: 2, all: 6, closed: 1, mentions: 1 });
    assert.equal(attention(rows, who), 3);
  });

  test("is sorted by time left: ringing, overdue, soon, ongoing, idle, closed", () => {
    const mine = { status: "open", to: "me" } as const;
    const offer = { to: ["me", "other"], until: NOW + 10_000 };
    const rows = [
      row("closed", { status: "closed" }), row(
        "idle", { ...mine, at: NOW - IDLE_MS, last: { by: 2 } },
      ), row("recent", { ...mine, at: NOW - 1, last: { by: 2 } }),
      row(
        "later", { ...mine, ...routing({ due: NOW + SOON_MS + 1 }) },
      ), row("soon", { ...mine, ...routing({ due: NOW + SOON_MS }) }),
      row("over", { ...mine, ...routing({ due: NOW }) }), row(
        "long over", { ...mine, ...routing({ due: NOW - 1 }) },
      ), row("rings", routing({ offer })),
    ];
    assert.deepEqual(
      order(inbox(...rows), "all"), ["rings", "long over", "over", "soon", "later", "recent", "idle", "closed"],
    );
    const sections = rows.map((one) => sectionOf(one, "me", NOW));
    assert.deepEqual(sections, ["closed", "idle", "ongoing", "ongoing", "soon", "overdue", "overdue", "ringing"]);
  });

  test("a ring is over at its moment, when somebody answers, and for who is not asked", () => {
    const offer = { to: ["me"], until: NOW + 1 };
    assert.equal(isOfferedTo(row("a", routing({ offer })), "me", NOW), true);
    assert.equal(isOfferedTo(row("a", routing({ offer })), "me", NOW + 1), false);
    assert.equal(isOfferedTo(row("a", routing({ offer })), "other", NOW), false);
    assert.equal(isOfferedTo(row("a", { status: "open", ...routing({ offer }) }), "me", NOW), false);
  });

  test("what is meant for one agent stands in nobody else's queue", () => {
    const rows = inbox(
      row("me", routing({ for: "me", skill: "billing" })), row("other", routing({ for: "other" })), row("no skill"),
    );
    assert.deepEqual(order(rows, "queue").sort(), ["me", "no skill"]);
    assert.equal(listed(rows, "queue", { me: "me", skills: undefined }, NOW).flatMap((part) => part.rows).length, 2);
  });

  test("goes on with the next of mine, then with my queue, and never with the same", () => {
    const mine = { status: "open", to: "me" } as const;
    const both = inbox(
      row("a", { ...mine, ...routing({ due: 1 }) }), row("b", { ...mine, ...routing({ due: 2 }) }), row("q"),
    );
    assert.deepEqual(
      [nextOf(both, who, NOW, undefined), nextOf(both, who, NOW, "a"), nextOf(both, who, NOW, "b")], ["a", "b", "a"],
    );
    const one = inbox(row("a", mine), row("q"));
    assert.equal(nextOf(one, who, NOW, "a"), "q");
    assert.equal(nextOf(inbox(row("a", mine)), who, NOW, "a"), undefined);
  });

  test("takes nothing closed and nothing answered for unanswered", () => {
    assert.equal(isUnanswered(row("a")), true);
    assert.equal(isUnanswered(row("a", { status: "closed" })), false);
    assert.equal(isUnanswered(row("a", { last: { by: 2, audio: 1000 } })), false);
  });
});
