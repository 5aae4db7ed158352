import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { attention, counts, emptyInbox, isUnanswered, listed, withRows } from "../client/agent-inbox";
import type { Inbox } from "../client/agent-inbox";
import type { InboxRow } from "../client/events";

const row = (c: string, more: Partial<InboxRow> = {}): InboxRow => ({
  c, p: 1, status: "waiting", who: c, n: 2, at: 1000, since: 1000, unread: 1, unheard: 0, last: { by: 1, text: "hello" }, ...more,
});
const inbox = (...rows: InboxRow[]): Inbox => withRows(emptyInbox, rows, 10, true);
const names = (rows: readonly InboxRow[]): string[] => rows.map(({ c }) => c);

describe("An inbox", () => {
  test("keeps the newer of two rows, in whatever order they come", () => {
    const late = withRows(inbox(row("a", { p: 7, status: "open" })), [row("a", { p: 6 })], 11, false);
    assert.equal(late.rows.get("a")?.status, "open");
    assert.equal(late.position, 11);
    assert.equal(withRows(late, [row("a", { p: 8, status: "closed" })], 12, false).rows.get("a")?.status, "closed");
  });

  test("never goes back in the feed, but begins anew when it is told to", () => {
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
    assert.deepEqual(names(listed(inbox(row("young", { since: 900 }), row("old", { since: 100 })), "waiting", "me")), ["old", "young"]);
  });

  test("puts what nobody has answered before what only happened lately", () => {
    const mine = { status: "open", to: "me" } as const;
    const rows = inbox(row("answered", { ...mine, at: 9000, last: { by: 2, text: "hi" } }), row("asked", { ...mine, at: 100, since: 100 }));
    assert.deepEqual(names(listed(rows, "mine", "me")), ["asked", "answered"]);
  });

  test("shows all by newest activity, but not what was never said", () => {
    const rows = inbox(row("early", { at: 1 }), row("late", { at: 2, status: "closed" }), row("nothing", { at: 3, status: "new" }));
    assert.deepEqual(names(listed(rows, "all", "me")), ["late", "early"]);
  });

  test("counts each tab, and what wants someone", () => {
    const rows = inbox(
      row("waits"), row("mine", { status: "open", to: "me" }), row("read", { status: "open", to: "me", unread: 0 }),
      row("theirs", { status: "open", to: "other" }), row("closed", { status: "closed" }));
    assert.deepEqual(counts(rows, "me"), { waiting: 1, mine: 2, all: 5 });
    assert.equal(attention(rows, "me"), 2);
  });

  test("takes nothing closed and nothing answered for unanswered", () => {
    assert.equal(isUnanswered(row("a")), true);
    assert.equal(isUnanswered(row("a", { status: "closed" })), false);
    assert.equal(isUnanswered(row("a", { last: { by: 2, audio: 1000 } })), false);
  });
});
