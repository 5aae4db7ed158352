import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { agentRows } from "../../client/agent/private-rows";
import { may, permissionsFor } from "../../client/agent/permissions";
import {
  emptyThread, takesPart, withDelivery, withPage, withSnapshot, type Thread,
} from "../../client/agent/agent-thread";
import type { ConversationEvent, InboxRow } from "../../client/conversation/events";
import type { Entry } from "../../client/core/outbox";
import { read } from "../../client/core/shapes";
import { inboxRow } from "../../protocol/agent-shapes";
import { type Permission, PERMISSIONS } from "../../protocol/permissions";
import { agentEvent } from "../support/support";

const people = [
  { by: 2, role: "agent", name: "Dana", id: "dana" }, { by: 3, role: "manager", name: "Max", id: "max" },
] as const;
const joined = (by: number, more: object = {}): object => (
  { by, joined: { role: "agent", name: by === 2 ? "Dana" : "Max", id: by === 2 ? "dana" : "max", ...more } }
);
const threadOf = (...events: object[]): Thread => withSnapshot(emptyThread("C"), "E", undefined, {
  status: "open", people, marks: [], played: [], through: events.length, more: false, fresh: true,
  events: events.map((event, i) => agentEvent({ n: i + 1, at: i + 1, by: 1, ...event }) as ConversationEvent),
});
const row = (more: object = {}): InboxRow => read(
  inboxRow, { c: "C", status: "open", who: "Mara", to: "dana", toName: "Dana", ...more }
) as InboxRow;
const having = (builtIn: "agent" | "manager"): readonly Permission[] =>
  PERMISSIONS.filter((one) => one.builtIn.includes(builtIn)).map(({ id }) => id);
const dana = { id: "dana", permissions: having("agent") };
const max = { id: "max", permissions: having("manager") };
/** Max with these permissions alone. */
const only = (...permissions: Permission[]): typeof max => ({ ...max, permissions });

describe("What agents recorded", () => {
  const event = (n: number, what: object): ConversationEvent =>
    agentEvent({ n, at: n, by: 2, ...what }) as ConversationEvent;
  const here = withSnapshot(emptyThread("C"), "E", undefined, {
    status: "open", people, marks: [], played: [], through: 90, more: true, fresh: true,
    events: [event(90, { text: "x" })],
    recorded: { attributes: [{ name: "order", value: "A-17" }, { name: "size", value: "M" }], disposition: "solved" },
  });

  test("is what the server said, and what happens from then on", () => {
    assert.deepEqual([...here.recorded.attributes], [["order", "A-17"], ["size", "M"]]);
    assert.equal(here.recorded.disposition, "solved");
    const later = withDelivery(here, [
      event(91, { attribute: { name: "order", value: "B-18" } }), event(92, { attribute: { name: "size" } }),
      event(93, { resumed: {} }),
    ]);
    assert.deepEqual([...later.recorded.attributes], [["order", "B-18"]]);
    assert.equal(later.recorded.disposition, undefined);
    const again = withDelivery(later, [event(94, { disposed: { id: "refund", name: "Refund" } })]);
    assert.equal(again.recorded.disposition, "refund");
  });

  test("does not go back to what older events say", () => {
    const asked = { ...here, asked: { before: 90, limit: 50, fills: false } };
    const paged = withPage(asked, [event(40, { attribute: { name: "order", value: "A-1" } })], false);
    assert.equal(paged.timeline.events.length, 2);
    assert.equal(paged.recorded.attributes.get("order"), "A-17");
  });

  test("is nothing where the server said nothing", () => {
    assert.deepEqual(threadOf({ text: "hi" }).recorded, { attributes: new Map(), disposition: undefined });
  });
});

describe("Who takes part", () => {
  test("joined and did not leave; a private note is no part", () => {
    assert.equal(takesPart(threadOf({ text: "hi" }, joined(2)), "dana"), true);
    assert.equal(takesPart(threadOf({ text: "hi" }, joined(2), { by: 2, left: {} }), "dana"), false);
    assert.equal(
      takesPart(threadOf({ text: "hi" }, joined(3, { quiet: true }), { by: 3, note: { text: "coach" } }), "max"), false,
    );
    assert.equal(
      takesPart(threadOf({ text: "hi" }, joined(3, { quiet: true }), { by: 3, assigned: { to: 3 } }), "max"), true,
    );
    assert.equal(takesPart(threadOf({ text: "hi" }), "nobody"), false);
  });
});

describe("How I stand", () => {
  const held = threadOf({ text: "hi" }, joined(2), { by: 2, assigned: { to: 2 } });

  test("who answers may do everything, and takes nothing over", () => {
    const permissions = permissionsFor(held, row(), dana, "Somebody");
    assert.deepEqual(
      [
        permissions.mine, permissions.maySay, permissions.mayTransfer, permissions.mayClose, permissions.mayTakeOver,
        permissions.watching,
      ],
      [true, true, true, true, false, false],
    );
  });

  test("another agent may write notes and nothing else", () => {
    const permissions = permissionsFor(held, row(), { ...dana, id: "sam" }, "Somebody");
    assert.deepEqual(
      [
        permissions.theirs, permissions.maySay, permissions.mayTransfer, permissions.mayClose, permissions.mayTakeOver,
        permissions.watching,
      ],
      ["Dana", false, false, false, false, false],
    );
  });

  test("a manager watches until they join, and may take over", () => {
    const watching = permissionsFor(held, row(), max, "Somebody");
    assert.deepEqual(
      [watching.watching, watching.joined, watching.maySay, watching.mayTakeOver, watching.mayClose],
      [true, false, false, true, true],
    );
    const there = permissionsFor(
      threadOf({ text: "hi" }, joined(2), { by: 2, assigned: { to: 2 } }, joined(3)), row(), max, "Somebody",
    );
    assert.deepEqual([there.watching, there.joined, there.maySay], [false, true, true]);
  });

  test("a waiting conversation has no agent: the first agent who answers takes it", () => {
    const waits = permissionsFor(undefined, row({ status: "waiting", to: undefined }), dana, "Somebody");
    assert.deepEqual(
      [waits.status, waits.maySay, waits.mine, waits.mayTransfer, waits.mayClose],
      ["waiting", true, false, false, false],
    );
  });

  test("each permission of a colleague’s conversation is its own", () => {
    const granted = (...permissions: Permission[]): readonly string[] => {
      const all = permissionsFor(held, row(), only("conversations.answer", ...permissions), "Somebody");
      return Object.entries(all).flatMap(([name, value]) => name.startsWith("may") && value === true ? [name] : []);
    };
    assert.deepEqual(granted(), ["mayAnswer"]);
    assert.deepEqual(granted("conversations.takeOver"), ["mayAnswer", "mayTakeOver"]);
    assert.deepEqual(granted("conversations.join"), ["mayAnswer", "mayJoin"]);
    assert.deepEqual(granted("conversations.transferOthers"), ["mayAnswer", "mayTransfer"]);
    assert.deepEqual(granted("conversations.closeOthers"), ["mayAnswer"], "who may not close closes nothing");
    assert.deepEqual(granted("conversations.close", "conversations.closeOthers"), ["mayAnswer", "mayClose"]);
    assert.deepEqual(granted("conversations.close"), ["mayAnswer"]);
    assert.deepEqual(granted("notes.read"), ["mayAnswer", "mayNote"]);
  });

  test("who may not answer does nothing with a conversation, not even with one that is theirs", () => {
    const reads = { ...dana, permissions: ["conversations.read", "conversations.close"] };
    const mine = permissionsFor(held, row(), reads, "Somebody");
    assert.deepEqual([mine.mine, mine.maySay, mine.mayTransfer, mine.mayNote, mine.mayClose], [
      true, false, false, false, true,
    ]);
    const waits = permissionsFor(undefined, row({ status: "waiting", to: undefined }), reads, "Somebody");
    assert.deepEqual([waits.mayTake, waits.maySay, waits.mayTransfer], [false, false, false]);
  });

  test("who lost the permission to join is no longer there", () => {
    const there = threadOf({ text: "hi" }, joined(2), { by: 2, assigned: { to: 2 } }, joined(3));
    const gone = permissionsFor(there, row(), only("conversations.answer"), "Somebody");
    assert.deepEqual([gone.joined, gone.maySay, gone.watching], [false, false, false]);
  });

  test("a permission is asked for by its name", () => {
    assert.equal(may({ agent: dana }, "conversations.answer"), true);
    assert.equal(may({ agent: dana }, "wall.read"), false);
  });
});

describe("An agent's rows", () => {
  const view = { me: 2, online: true, dayOf: () => "today" };
  const kinds = (
    thread: Thread, pending: readonly Entry[] = [],
  ): string[] => agentRows(thread.timeline, pending, view).map((one) => one.row);

  test("notes, what routing did and answers to the survey stand in their place; a quiet join and a ring do not", () => {
    const thread = threadOf({ text: "hi" }, {
      by: 0, offered: { to: ["dana"], until: 5 },
    }, joined(2), joined(3, { quiet: true }), { by: 3, note: { text: "psst", mentions: ["dana"] } },
      { by: 0, queued: { skill: "s", why: "silent" } }, { by: 0, automatic: { on: "queued", text: "Please wait." } },
      { by: 2, callback: { until: 9 } }, { by: 1, rated: { csat: 5, nps: 9 } }, { by: 2, closed: {} });
    assert.deepEqual(
      kinds(thread), ["day", "bubble", "notice", "note", "system", "bubble", "system", "rated", "notice"],
    );
    const rated = agentRows(thread.timeline, [], view).find((one) => one.row === "rated");
    assert(rated?.row === "rated");
    assert.deepEqual([rated.csat, rated.nps], [5, 9]);
  });

  test("a note in flight is shown at the end, and only once when its event arrives before its answer", () => {
    const entry: Entry = {
      key: "k", c: "C", at: 5, order: 1, sentAfter: 1, command: { kind: "ask", ask: { note: { text: "psst" } } },
    };
    assert.deepEqual(kinds(threadOf({ text: "hi" }), [entry]), ["day", "bubble", "note"]);
    assert.deepEqual(
      kinds(threadOf({ text: "hi" }, { by: 2, note: { text: "psst" } }), [entry]), ["day", "bubble", "note"],
    );
    assert.deepEqual(
      kinds(threadOf({ text: "hi" }), [{ ...entry, command: { kind: "ask", ask: { callback: 60 } } }]),
      ["day", "bubble"],
    );
  });
});
