import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ageOf, loadsOf, pageOf, parseLoads } from "./embed-loads";

const SHOP = "https://shop.example";
const load = (seconds: number, more: object = {}) => ({ app: "shop", origin: SHOP, part: "widget", seconds, ...more });

describe("The pages that loaded an app", () => {
  const shown = (embeds: readonly object[]) => loadsOf("shop", parseLoads({ embeds }), 6);

  test("are shown once each, the latest first, with what it was refused for", () => {
    const refused = { origin: "https://other.example", code: "origin_refused", text: "No." };
    assert.deepEqual(
      shown([load(1, refused), load(2), load(3, { code: "origin_refused" }), load(4, { ...refused, app: "blog" })])
        .map(({ origin, code }) => [origin, code]),
      [["https://other.example", "origin_refused"], [SHOP, undefined]],
    );
  });

  test("are shown of every app that does not exist: the line on the page is wrong", () => {
    const wrong = load(1, { app: "shopp", code: "not_found" });
    assert.deepEqual(shown([wrong]).map(({ app }) => app), ["shopp"]);
  });

  test("count as opened where the widget was, although the next page loads the script again", () => {
    const parts = (embeds: readonly object[]) => shown(embeds).map(({ part }) => part);
    assert.deepEqual(parts([load(1, { part: "script" }), load(9)]), ["widget"]);
    assert.deepEqual(parts([load(1, { part: "script" }), load(9000)]), ["script"]);
    assert.deepEqual(parts([load(1, { part: "script" }), load(9, { code: "origin_refused" })]), ["script"]);
  });

  test("are read from what the server says, and nothing else", () => {
    assert.deepEqual(parseLoads({}), []);
    assert.deepEqual(parseLoads({ embeds: [1, {}, { app: "shop", origin: SHOP }] }), []);
  });
});

describe("The page to check", () => {
  test("is a web address", () => {
    assert.equal(pageOf("shop.example/cart")?.href, "https://shop.example/cart");
    assert.equal(pageOf("http://localhost:8080")?.origin, "http://localhost:8080");
    const others = ["", "shop", "javascript:alert(1)", "javascript://shop.example/%0aalert(1)", "ftp://a.example"];
    for (const typed of others) assert.equal(pageOf(typed), undefined, typed);
  });
});

test("An age is said in seconds, minutes or hours", () => {
  assert.deepEqual([0, 59, 60, 3599, 3600, 90_000].map(ageOf), [
    ["s", 0], ["s", 59], ["min", 1], ["min", 59], ["h", 1], ["h", 25],
  ]);
});
