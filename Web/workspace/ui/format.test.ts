import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { scalars } from "../../client/core/text";
import { dayText, elapsedText, initials, tint } from "./format";
import { address, parsedRoute } from "../app/route";

const NOON = new Date(2026, 2, 10, 12).getTime();
const HOUR = 3_600_000;

describe("Formats", () => {
  test("a day has a name when it is near, also across a change of clocks", () => {
    assert.equal(dayText(NOON - 11 * HOUR, NOON), "Today");
    assert.equal(dayText(NOON - 13 * HOUR, NOON), "Yesterday");
    assert(dayText(NOON - 400 * 24 * HOUR, NOON).includes("2025"));
  });

  test("a wait has one unit, and never a negative one", () => {
    assert.equal(elapsedText(NOON + 5000, NOON, "long"), elapsedText(NOON, NOON, "long"));
    assert(elapsedText(NOON - 61 * 60_000, NOON, "long").startsWith("1 "));
    assert(elapsedText(NOON - 59 * 60_000, NOON, "long").startsWith("59 "));
  });

  test("a text is as long as the server counts it", () => {
    assert.equal(scalars("a👩‍👩‍👧é"), 7);
    assert.equal(scalars("x".repeat(2001)), 2001);
  });

  test("a name has two letters and always the same tint", () => {
    assert.deepEqual(["Visitor 4f2a", "Visitor JDN3", "Dana Ruiz", "Dana", ""].map(initials), [
      "4F",
      "JD",
      "DR",
      "D",
      "?",
    ]);
    assert.equal(tint("Visitor 4f2a"), tint("Visitor 4f2a"));
  });
});

describe("A route", () => {
  test("is read as it was written", () => {
    for (const hash of ["#/waiting", "#/mine/abc-DEF_1", "#/all/abc/card"]) {
      assert.equal(address(parsedRoute(hash)), hash);
    }
  });

  test("leaves out what is wrong in it", () => {
    assert.deepEqual(parsedRoute("#/elsewhere/abc"), {
      page: "inbox",
      path: [],
      tab: "waiting",
      c: undefined,
      card: false,
    });
    assert.deepEqual(parsedRoute("#/mine/a%20b/card"), {
      page: "inbox",
      path: [],
      tab: "mine",
      c: undefined,
      card: false,
    });
    assert.deepEqual(parsedRoute(""), { page: "inbox", path: [], tab: "waiting", c: undefined, card: false });
  });
});
