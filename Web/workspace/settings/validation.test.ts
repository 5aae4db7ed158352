import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { check, LIMITS, type ValidationContext } from "./validation";
import { describeChanges, type Names, weekText } from "./describe-changes";
import { unitOf } from "./number-fields";
import {
  CAPACITY,
  type Hours,
  newSkill,
  put,
  same,
  type Sections,
  SILENCE,
  type Skill,
  slug,
  SURVEY,
} from "./settings-model";
import { momentOf, opening, parsedTime, wallClock } from "./routing/opening-hours";
import { automaticText, fillTemplate } from "./messages/fill-template";
import { parseAnswer, parsedFacts } from "./routing/rule-tester";
import { dragged, freeSpan } from "./routing/week";

const general: Skill = { ...newSkill("general", "General"), default: true };
const orders: Skill = { ...newSkill("orders", "Orders"), fallback: "general", hours: "office" };
const office: Hours = {
  id: "office",
  name: "Office",
  zone: "Europe/Berlin",
  week: [1, 2, 3, 4, 5].map((day) => ({ day, from: 480, to: 1200 })),
  holidays: [{ date: "2026-12-25", name: "Christmas", open: [] }, {
    date: "2026-12-24",
    name: "Christmas Eve",
    open: [{ from: 600, to: 840 }],
  }],
};
const AROUND: ValidationContext = { skills: [general, orders], hours: [office] };
const names: Names = {
  skill: (id) => (id === "general" ? "General" : "Orders"),
  hours: () => "Office",
  agent: () => "Dana",
};
const at = (iso: string): number => Date.parse(iso);

describe("Opening hours", () => {
  const told = (iso: string): string => {
    const { open, next } = opening(office, at(iso));
    return `${open ? "open until" : "closed until"} ${next === undefined ? "ever" : new Date(next).toISOString()}`;
  };

  test("open and close by the clock of their own zone", () => {
    assert.equal(told("2026-11-23T06:59:00Z"), "closed until 2026-11-23T07:00:00.000Z");
    assert.equal(told("2026-11-23T07:00:00Z"), "open until 2026-11-23T19:00:00.000Z");
    assert.equal(told("2026-11-23T19:00:00Z"), "closed until 2026-11-24T07:00:00.000Z");
    assert.equal(told("2026-11-27T20:00:00Z"), "closed until 2026-11-30T07:00:00.000Z");
  });

  test("follow the change of the clock: eight o'clock is eight o'clock", () => {
    assert.equal(told("2026-03-27T20:00:00Z"), "closed until 2026-03-30T06:00:00.000Z");
    assert.equal(told("2026-10-23T20:00:00Z"), "closed until 2026-10-26T07:00:00.000Z");
  });

  test("hold their holidays, closed or shorter", () => {
    assert.equal(told("2026-12-24T08:30:00Z"), "closed until 2026-12-24T09:00:00.000Z");
    assert.equal(told("2026-12-24T13:30:00Z"), "closed until 2026-12-28T07:00:00.000Z");
  });

  test("go over midnight where one span ends and the next begins", () => {
    const night: Hours = {
      ...office,
      holidays: [],
      week: [{ day: 1, from: 1320, to: 1440 }, { day: 2, from: 0, to: 360 }],
    };
    const { open, next } = opening(night, at("2026-11-23T22:30:00Z"));
    assert.deepEqual([open, new Date(next ?? 0).toISOString()], [true, "2026-11-24T05:00:00.000Z"]);
  });

  test("never close where they are always open, and never open where nothing is", () => {
    const always: Hours = {
      ...office,
      holidays: [],
      week: [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: 0, to: 1440 })),
    };
    assert.deepEqual(opening(always, at("2026-11-23T22:30:00Z")), { open: true });
    assert.deepEqual(opening({ ...office, week: [], holidays: [] }, at("2026-11-23T22:30:00Z")), { open: false });
  });

  test("know a moment by its clock, also where an hour is skipped or comes twice", () => {
    for (
      const iso of ["2026-01-10T11:17:00Z", "2026-07-10T21:59:00Z", "2026-03-29T00:59:00Z", "2026-03-29T01:00:00Z"]
    ) {
      assert.equal(momentOf(wallClock(at(iso), "Europe/Berlin"), "Europe/Berlin"), at(iso));
    }
    assert.equal(momentOf({ year: 2026, month: 3, day: 29, minute: 150 }, "Europe/Berlin"), at("2026-03-29T01:30:00Z"));
    assert.equal(
      momentOf({ year: 2026, month: 10, day: 25, minute: 150 }, "Europe/Berlin"),
      at("2026-10-25T00:30:00Z"),
    );
  });

  test("are typed as people type times", () => {
    assert.deepEqual(["8", "8:30", "0830", "24:00", "8 pm", "12am", "25", "8:61", "x", "24:01"].map(parsedTime), [
      480,
      510,
      510,
      1440,
      1200,
      0,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("are dragged in quarters, never inside out and never over midnight", () => {
    assert.deepEqual(dragged("to", { from: 480, to: 600 }, 600, 300), { from: 480, to: 495 });
    assert.deepEqual(dragged("from", { from: 480, to: 600 }, 480, 900), { from: 585, to: 600 });
    assert.deepEqual(dragged("move", { from: 480, to: 600 }, 500, 1400), { from: 1320, to: 1440 });
    assert.deepEqual(dragged("new", { from: 480, to: 480 }, 480, 300), { from: 300, to: 480 });
    assert.deepEqual(freeSpan([{ from: 480, to: 1380 }]), { from: 1380, to: 1440 });
  });
});

describe("What changed, in words", () => {
  test("names each field with what it was and is", () => {
    const after = {
      ...put(orders, "fallback", undefined),
      offerSeconds: 45,
      sla: { ...orders.sla, usual: 3600 },
      autoCloseSeconds: 7200,
    };
    const lines = describeChanges("skills", [general, orders], [general, after], names);
    assert.deepEqual(
      lines.map((line) => line.replace(/\s(sec|min|hr)s?/gu, " $1")),
      [
        "Orders: offer expires after: 30 sec → 45 sec",
        "Orders: normal response time: 15 min → 1 hr",
        "Orders: fallback: General → nothing",
        "Orders: closes automatically after: never → 2 hr",
      ].sort((a, b) =>
        lines.findIndex((line) => line.startsWith(a.slice(0, 12))) -
        lines.findIndex((line) => line.startsWith(b.slice(0, 12)))
      ),
    );
  });

  test("tells what came, what went, and another order", () => {
    assert.deepEqual(describeChanges("skills", [general], [general, orders], names), ["Skill “Orders” added"]);
    assert.deepEqual(describeChanges("skills", [general, orders], [general], names), ["Skill “Orders” removed"]);
    assert.deepEqual(describeChanges("skills", [general, orders], [orders, general], names), ["Order changed"]);
    assert.deepEqual(describeChanges("skills", [general], [general], names), []);
  });

  test("says a week as people say it", () => {
    assert.equal(weekText(office.week), "Monday–Friday 08:00–20:00");
    assert.equal(
      weekText([...office.week, { day: 6, from: 840, to: 1020 }, { day: 6, from: 540, to: 780 }]),
      "Monday–Friday 08:00–20:00, Saturday 09:00–13:00 + 14:00–17:00",
    );
    assert.equal(weekText([]), "closed");
    assert.deepEqual(
      describeChanges("hours", [office], [{ ...office, holidays: office.holidays.slice(0, 1) }], names),
      ["Office: Special day “Christmas Eve” removed"],
    );
  });

  test("goes inside of a section that is one thing", () => {
    assert.deepEqual(describeChanges("survey", SURVEY, { ...SURVEY, nps: true, question: "How was it?" }, names), [
      "0 to 10: off → on",
      "question: “How did we do?” → “How was it?”",
    ]);
    assert.deepEqual(describeChanges("silence", SILENCE, put(SILENCE, "onlineSeconds", undefined), names).length, 1);
    assert.deepEqual(
      describeChanges("people", [{ agent: "a", skills: ["general"], capacity: 3 }], [{
        agent: "a",
        skills: ["general", "orders"],
        capacity: 3,
      }], names),
      ["Dana: skills: General → General, Orders"],
    );
  });
});

describe("What is wrong with a section", () => {
  const bad = <S extends keyof Sections>(section: S, value: Sections[S]): readonly string[] =>
    check(section, value, AROUND).map((problem) => problem.at);

  test("is nothing, for what a brand begins with", () => {
    assert.deepEqual(
      [
        bad("skills", [general, orders]),
        bad("hours", [office]),
        bad("capacity", CAPACITY),
        bad("silence", SILENCE),
        bad("survey", SURVEY),
        bad("people", []),
      ].flat(),
      [],
    );
  });

  test("stands at its field", () => {
    assert.deepEqual(
      bad("skills", [general, {
        ...orders,
        name: " ",
        fallback: "orders",
        offerSeconds: 1,
        sla: { usual: NaN, urgent: 300, first: 600 },
      }]),
      [
        "orders.name",
        "orders.offerSeconds",
        "orders.usual",
        "orders.fallback",
      ],
    );
    assert.deepEqual(bad("skills", [orders]), ["skills", "orders.fallback"]);
    assert.deepEqual(bad("people", [{ agent: "a", skills: ["gone"], capacity: 51, listenSpeed: 1.5 }]), [
      "a.capacity",
      "a.listenSpeed",
      "a.skills",
    ]);
    assert.deepEqual(
      bad("hours", [{
        ...office,
        zone: "Mars/Olympus",
        week: [{ day: 1, from: 480, to: 600 }, { day: 1, from: 540, to: 700 }, { day: 2, from: 700, to: 600 }],
      }]),
      [
        "office.zone",
        "office.day1",
        "office.day2",
      ],
    );
    assert.deepEqual(
      bad("rules", [{
        id: "r",
        name: "R",
        on: true,
        skill: "orders",
        urgent: false,
        conditions: [{ of: "attribute.", test: "atLeast", value: "x" }],
      }]),
      ["r.condition0", "r.condition0"],
    );
    assert.deepEqual(bad("automatic", [{ id: "m", on: "queued", enabled: true, text: "Number {place}" }]), [
      "m.text",
      "m.afterSeconds",
    ]);
    assert.deepEqual(bad("canned", [{ id: "c", shortcut: "two words", title: "", text: "x" }]), [
      "c.title",
      "c.shortcut",
    ]);
    assert.deepEqual(bad("survey", { ...SURVEY, csat: false, words: false }), ["csat"]);
    assert.deepEqual(bad("wrapUp", { dispositions: [{ id: "d", name: "" }], tags: ["a", "A"], attributes: [] }), [
      "d.name",
      "tags",
    ]);
  });

  test("begins one beyond the limit", () => {
    const after = (seconds: number) =>
      bad("automatic", [{ id: "m", on: "queued", enabled: true, text: "x", afterSeconds: seconds }]).length;
    assert.deepEqual([
      after(LIMITS.after[0]),
      after(LIMITS.after[0] - 1),
      after(LIMITS.after[1]),
      after(LIMITS.after[1] + 1),
    ], [0, 1, 0, 1]);
    const text = (length: number) =>
      bad("canned", [{ id: "c", shortcut: "c", title: "C", text: "x".repeat(length) }]).length;
    assert.deepEqual([text(LIMITS.text), text(LIMITS.text + 1)], [0, 1]);
  });
});

describe("An automatic message", () => {
  const values = { brand: "Northwind", expectedResponseTime: "08:15", agentNickname: undefined };
  test("is said with its values", () =>
    assert.equal(
      fillTemplate("Hello from {brand}. We answer by {expectedResponseTime}.", values),
      "Hello from Northwind. We answer by 08:15.",
    ));
  test("leaves the sentence away whose value is missing", () => {
    assert.equal(
      fillTemplate("Hello! {agentNickname} is here. We answer by {expectedResponseTime}.", values),
      "Hello! We answer by 08:15.",
    );
    assert.equal(fillTemplate("{agentNickname} is here", values), "");
    assert.equal(fillTemplate("See example.com for more. {agentNickname} helps.", values), "See example.com for more.");
  });
  test("is said in its other words where it has some", () => {
    assert.equal(
      automaticText("{agentNickname} is here.", "Somebody of {brand} is here.", values),
      "Somebody of Northwind is here.",
    );
    assert.equal(automaticText("{brand} is here.", "Nobody", values), "Northwind is here.");
    assert.equal(automaticText("Hi. {agentNickname}!", "", values), "Hi.");
  });
});

describe("A section in a form", () => {
  test("comes back as it was, with what we do not know of it", () => {
    const newer = { ...orders, later: { deep: [1] } } as Skill;
    assert.deepEqual({ ...newer, offerSeconds: 31 }, { ...orders, later: { deep: [1] }, offerSeconds: 31 } as unknown);
    assert.equal("fallback" in put(newer, "fallback", undefined), false);
    assert(same(put(put(newer, "fallback", undefined), "fallback", "general"), newer));
    assert(!same({ a: undefined, b: 1 }, { a: 1, b: 1 }));
  });
  test("has ids that are free", () =>
    assert.deepEqual([slug("Orders & Returns!", []), slug("Orders", ["orders", "orders-2"]), slug("日本", [])], [
      "orders-returns",
      "orders-3",
      "new",
    ]));
  test("shows a time in the unit that suits it", () =>
    assert.deepEqual([45, 60, 5400, 7200, 86_400, 0].map(unitOf), [1, 60, 60, 3600, 86_400, 1]));
  test("is tried with facts that are written on lines", () => {
    assert.deepEqual(parsedFacts("tier = gold\n\nnothing\n a=b=c "), { tier: "gold", a: "b=c" });
    assert.deepEqual(
      parseAnswer({
        skill: "orders",
        urgent: true,
        rules: [{ id: "a", name: "A", fits: false, failed: { of: "attribute.tier", test: "is", value: "gold" } }, 7],
      }),
      {
        skill: "orders",
        urgent: true,
        rules: [{ id: "a", name: "A", fits: false, failed: "tier is “gold”" }],
      },
    );
  });
});
