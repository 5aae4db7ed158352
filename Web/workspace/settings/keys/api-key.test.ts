import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EMPTY, endOf, keysMadeBy, type KeyWish, keyOf, newKeyOf, NAME_LENGTH, problemsOf } from "./api-key";

const NOW = 1_763_757_600_000;
const DAY = 86_400_000;
const GOOD: KeyWish = { ...EMPTY, name: "Warehouse" };
const wrong = (part: Partial<KeyWish>): readonly string[] =>
  problemsOf({ ...GOOD, ...part }, NOW).map(({ at }) => at);

describe("the API keys of a person who leaves", () => {
  test("are those that the person made and that have not ended", () => {
    const key = (id: string, by: string, expires: number) => keyOf({ id, name: id, scopes: [], by, made: 1, expires });
    const keys = [key("a", "dana", NOW + 1), key("b", "omar", NOW + 1), key("c", "dana", NOW)];
    assert.deepEqual(keysMadeBy("dana", keys.flatMap((one) => one ?? []), NOW).map(({ id }) => id), ["a"]);
  });
});

describe("an API key that is being made", () => {
  test("needs a name of 1 to 60 characters", () => {
    assert.deepEqual(wrong({}), []);
    assert.deepEqual(wrong({ name: " " }), ["name"]);
    assert.deepEqual(wrong({ name: "ü".repeat(NAME_LENGTH) }), []);
    assert.deepEqual(wrong({ name: "ü".repeat(NAME_LENGTH + 1) }), ["name"]);
  });

  test("needs a scope", () => assert.deepEqual(wrong({ scopes: [] }), ["scopes"]));

  test("ends after the days that were chosen, or with a day", () => {
    assert.equal(endOf(GOOD, NOW), NOW + 90 * DAY);
    assert.equal(endOf({ ...GOOD, lifetime: "365" }, NOW), NOW + 365 * DAY);
    assert.equal(endOf({ ...GOOD, lifetime: "day", day: NOW }, NOW), NOW + DAY - 1);
  });

  test("ends after now and within two years", () => {
    assert.deepEqual(wrong({ lifetime: "day" }), ["day"]);
    assert.deepEqual(wrong({ lifetime: "day", day: NOW - DAY }), ["day"]);
    assert.deepEqual(wrong({ lifetime: "day", day: NOW - DAY + 2 }), []);
    assert.deepEqual(wrong({ lifetime: "day", day: NOW + 730 * DAY + 1 }), []);
    assert.deepEqual(wrong({ lifetime: "day", day: NOW + 730 * DAY + 2 }), ["day"]);
  });
});

describe("an API key of the server", () => {
  const sent = { id: "k", name: "Warehouse", scopes: ["history.read"], by: "m", made: 1, expires: 2 };

  test("is read, and one without an id or a name is omitted", () => {
    assert.deepEqual(keyOf({ ...sent, used: 3 }), { ...sent, used: 3 });
    assert.equal(keyOf(sent)?.used, undefined);
    assert.equal(keyOf({ ...sent, id: 5 }), undefined);
    assert.equal(keyOf("k"), undefined);
  });

  test("comes once with what the program sends", () => {
    assert.equal(newKeyOf({ key: sent, text: "ek_k_s" })?.text, "ek_k_s");
    assert.equal(newKeyOf({ key: sent }), undefined);
  });
});
