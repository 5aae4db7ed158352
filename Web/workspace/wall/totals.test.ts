import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { QueueStanding, Standing } from "../../client/agent/people";
import type { InboxRow } from "../../client/conversation/events";
import {
  conversationsBehind,
  csat,
  drillDownPath,
  fullness,
  promisesKept,
  queueProblem,
  sortedPeople,
  stopwatchText,
  timeInStateText,
  totals,
} from "./totals";

const line = (skill: string, more: Partial<QueueStanding> = {}): QueueStanding => ({
  skill,
  queued: 0,
  unplayed: 0,
  assigned: 0,
  overdue: 0,
  closed: 0,
  satisfied: 0,
  rated: 0,
  answered: 0,
  kept: 0,
  broken: 0,
  online: 0,
  ...more,
});
const person = (name: string, state: Standing["presence"]["state"], load = 0, capacity = 3): Standing => ({
  id: name,
  name,
  role: "agent",
  presence: { state, since: 0 },
  skills: [],
  load,
  capacity,
  open: 0,
});
const row = (c: string, more: Partial<InboxRow> & { skill?: string; due?: number } = {}): InboxRow => {
  const { skill = "orders", due, ...rest } = more;
  return {
    c,
    p: 1,
    status: "waiting",
    who: c,
    channel: "web",
    app: "shop",
    n: 1,
    at: 1,
    since: 1,
    unread: 0,
    unplayed: 0,
    routing: { skill, tags: [], mentioned: [], ...(due === undefined ? {} : { due }) },
    ...rest,
  };
};

describe("A wall", () => {
  test("adds its queues up; who has two skills is online once; who is away has no capacity", () => {
    const wall = {
      skills: [
        line("a", { queued: 2, oldest: 50, unplayed: 10, satisfied: 3, rated: 4, online: 2 }),
        line("d", { answered: 5, kept: 4, broken: 1 }),
        line("b", { queued: 1, oldest: 20, overdue: 1, satisfied: 0, rated: 1, online: 2 }),
        line("c"),
      ],
      people: [person("Dana", "online", 1000), person("Eli", "occupied", 2000), person("Farid", "away", 500)],
    };
    assert.deepEqual(totals(wall), {
      queued: 3,
      oldest: 20,
      unplayed: 10,
      assigned: 0,
      overdue: 1,
      closed: 0,
      satisfied: 3,
      rated: 5,
      answered: 5,
      kept: 4,
      broken: 1,
      online: 1,
      load: 3000,
      capacity: 6000,
    });
    assert.equal("oldest" in totals({ skills: [line("a")], people: [] }), false);
  });

  test("counts promised times that were kept, of all that were or have passed, and nothing where none was made", () => {
    const share = (kept: number, answered: number, broken: number): number | undefined =>
      promisesKept({ kept, answered, broken });
    assert.deepEqual([share(18, 20, 0), share(20, 20, 3), share(0, 0, 3), share(0, 0, 0)], [90, 86, 0, undefined]);
    assert.equal(share(999, 999, 1), 99, "100 % only where every promise was kept");
  });

  test("counts as satisfied the answers 4 and 5 of all, and nothing where nobody answered", () => {
    assert.deepEqual([
      csat({ satisfied: 2, rated: 3 }),
      csat({ satisfied: 0, rated: 2 }),
      csat({ satisfied: 0, rated: 0 }),
    ], [67, 0, undefined]);
  });

  test("shows load beyond the capacity as what it is", () => {
    assert.deepEqual([fullness(3100, 3000), fullness(0, 0), fullness(100, 0), fullness(1500, 3000)], [103, 0, 100, 50]);
  });

  test("has first who is there, and of those the fullest", () => {
    const people = [
      person("Off", "offline", 3000),
      person("Low", "online", 100),
      person("Away", "away"),
      person("High", "online", 2900),
      person("Busy", "occupied"),
    ];
    assert.deepEqual(sortedPeople(people).map(({ name }) => name), ["High", "Low", "Busy", "Away", "Off"]);
  });

  test("says what is wrong: too long, or nobody there for those who wait", () => {
    assert.deepEqual(
      [line("a"), line("a", { queued: 1 }), line("a", { queued: 1, online: 1 }), line("a", { overdue: 1 })].map(
        queueProblem,
      ),
      [undefined, "alone", undefined, "late"],
    );
  });

  test("ticks", () =>
    assert.deepEqual([-5, 999, 7000, 252_000, 3_753_000, 90_000_000].map(stopwatchText), [
      "0:00",
      "0:00",
      "0:07",
      "4:12",
      "1:02:33",
      "25:00:00",
    ]));

  test("says how long somebody is in a state without seconds, which would read as a clock", () =>
    assert.deepEqual([-5, 7000, 827_000, 3_599_000, 4_680_000, 7_200_000].map(timeInStateText), [
      "1 min",
      "1 min",
      "13 min",
      "59 min",
      "1 h 18 min",
      "2 h",
    ]));

  test("leads to the conversations behind a number, those first that have least time left", () => {
    assert.deepEqual([
      drillDownPath("queued", "orders"),
      drillDownPath("overdue", undefined),
      drillDownPath("agent", "A_-"),
    ], ["#/wall/orders/queued", "#/wall/all/overdue", "#/wall/A_-/agent"]);
    const rows = [
      row("late", { due: 5 }),
      row("later", { due: 50 }),
      row("other", { skill: "tech", due: 1 }),
      row("mine", { status: "open", to: "dana", due: 4 }),
      row("played", { unplayed: 5 }),
      row("closed", { status: "closed", at: 3, unplayed: 5, due: 1 }),
      row("closed2", { status: "closed", at: 9 }),
    ];
    const names = (of: string, show: Parameters<typeof conversationsBehind>[2]): readonly string[] =>
      conversationsBehind(rows, of, show, 10).map(({ c }) => c);
    assert.deepEqual(names("orders", "queued"), ["late", "later", "played"]);
    assert.deepEqual(names("all", "overdue"), ["other", "mine", "late"]);
    assert.deepEqual(names("orders", "unplayed"), ["played"]);
    assert.deepEqual(names("dana", "agent"), ["mine"]);
    assert.deepEqual(names("orders", "closed"), ["closed2", "closed"]);
  });
});
