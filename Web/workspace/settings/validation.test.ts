import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HTTPProblem } from "../../client/core/api";
import { checkVoice, numberProblems, refusedField } from "./validation";
import { describeChanges, type Names, weekText } from "./describe-changes";
import { unitOf } from "./number-fields";
import {
  CAPACITY,
  type Hours,
  newSkill,
  put,
  same,
  SILENCE,
  type Skill,
  slug,
  SURVEY,
} from "./settings-model";
import { dateOrder, momentOf, opening, parsedTime, wallClock } from "./routing/opening-hours";
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

  test("show special days in the order of their dates, whatever the order in which they were added", () => {
    const days = ["2026-12-25", "2026-12-24", "2027-01-01", "2026-05-01"].map((date) => ({ date, name: "", open: [] }));
    assert.deepEqual(dateOrder(days), [3, 1, 0, 2]);
    assert.deepEqual(dateOrder([]), []);
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
  /** The problem of a refusal whose field is `path`, and whose sentence begins as the server's do. */
  const refused = (section: string, value: unknown, path: string, words: string, limit?: number): unknown => {
    const code = limit === undefined ? "bad_request" : "out_of_range";
    const body = { at: path, ...(limit === undefined ? {} : { limit }) };
    const refusal = new HTTPProblem(422, code, `${path}${words}`, body);
    const problem = refusedField(section, value, refusal);
    return problem && [problem.at, problem.text, problem.isGeneral === true];
  };

  test("is shown at the field that the server names, in the unit of the field", () => {
    const slow = { ...orders, sla: { usual: 5, urgent: 300, first: 600 }, velocity: 2000 };
    assert.deepEqual(
      [
        refused("skills", [general, slow], "skills[1].sla.usual", ": it is 10 to 2592000, not 5.", 10),
        refused("skills", [general, slow], "skills[1].velocity", ": it is 1 to 1000, not 2000.", 1000),
        refused("skills", [{ ...general, name: " " }], "skills[0].name", ": it has 1 to 80 characters.", 1),
        refused("people", [{ agent: "a", skills: ["gone"] }], "people[0].skills", ': there is no skill "gone".'),
        refused("capacity", { ...CAPACITY, idle: 1500 }, "capacity.idle", ": it is 0 to 1000, not 1500.", 1000),
        refused("survey", { ...SURVEY, openSeconds: 1.5 }, "survey.openSeconds", " is missing or has the wrong type."),
      ],
      [
        ["orders.sla.usual", "At least 10 sec.", false],
        ["orders.velocity", "At most 1000 %.", false],
        ["general.name", "This is required.", false],
        ["a.skills", 'There is no skill "gone".', true],
        ["idle", "At most 1.", false],
        ["openSeconds", "Enter a whole number.", false],
      ],
    );
  });

  test("is found in the days of a week, in holidays, conditions and lists of lists", () => {
    const condition = { of: "page", test: "atLeast", value: "x" };
    const wrapUp = { dispositions: [{ id: "sold", name: "" }], tags: ["a"], attributes: [] };
    const at = (found: unknown): unknown => (found as unknown[])[0];
    assert.deepEqual(
      [
        at(refused("hours", [office], "hours[0].week[2]", ": it ends after it begins.")),
        at(refused("hours", [office], "hours[0].holidays[1].open[0].from", ": it is 0 to 1440, not -5.", 0)),
        at(refused("rules", [{ id: "r", conditions: [condition] }], "rules[0].conditions[0].value", ": numbers.")),
        at(refused("wrapUp", wrapUp, "wrapUp.dispositions[0].name", ": it has 1 to 80 characters.", 1)),
        at(refused("wrapUp", wrapUp, "wrapUp.tags[0]", ": it has 1 to 40 characters.", 40)),
      ],
      [
        "office.week.day3",
        "office.holidays.2026-12-24.open.0.from",
        "r.conditions.0.value",
        "dispositions.sold.name",
        "tags.0",
      ],
    );
  });

  test("is said of the whole section where no field has it, and also where it is in another section", () => {
    assert.deepEqual(refused("skills", [], "skills", ": there are 1 to 200, not 0.", 1), [
      "",
      "There are 1 to 200, not 0.",
      true,
    ]);
    const words = ' (Boots): there is no skill "boots".';
    const other = ["", `rules[0].skill${words}`, true];
    assert.deepEqual(refused("skills", [general], "rules[0].skill", words), other);
    const gone = refused("people", [{ agent: "a" }], "people[0].agent", ": there is no person with this id.");
    assert.deepEqual(gone, ["a.agent", "There is no person with this id.", true]);
  });

  test("is nothing where the server refuses the person or the moment", () => {
    for (const code of ["forbidden", "stale", "csrf", "network", "rate_limited"]) {
      const refusal = new HTTPProblem(409, code, "survey.question: no.", { at: "survey.question" });
      assert.equal(refusedField("survey", SURVEY, refusal), undefined);
    }
    const unnamed = new HTTPProblem(400, "bad_request", "survey.question: no.");
    assert.equal(refusedField("survey", SURVEY, unnamed), undefined, "no field is read out of a sentence");
  });

  test("is known without the server where a number was not typed as one", () => {
    assert.deepEqual(numberProblems([general, { ...orders, sla: { usual: NaN, urgent: 300, first: 600 } }]), [
      { at: "orders.sla.usual", text: "Enter a number." },
    ]);
    assert.deepEqual(numberProblems(SURVEY), []);
  });

  test("begins one beyond the limit of the voice settings", () => {
    const voice = { enabled: true, consumers: true, agents: true, managers: true, channels: {}, originals: false };
    const count = (maxSeconds: number, keep: number): number => checkVoice({ ...voice, maxSeconds, keep }).length;
    assert.deepEqual([count(14, 0), count(15, 0), count(120, 100), count(121, 101), count(NaN, -1)], [1, 0, 0, 2, 2]);
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
