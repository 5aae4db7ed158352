import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ConversationEvent } from "../../client/conversation/events";
import { parseFrame } from "../../client/core/wire";
import { momentText, promised } from "../../client/conversation/waiting";
import { contactCentreStrings } from "../../widget/contact-centre/contact-centre-strings";
import { wordsOf } from "../../widget/contact-centre/waiting-text";

const BERLIN = { locale: "en-GB", zone: "Europe/Berlin" };
const at = (iso: string): number => Date.parse(iso);
const by = (when: string, now: string, reader = BERLIN): string => momentText(
  at(when), at(now), contactCentreStrings.by, reader,
);

describe("A moment in words", () => {
  test("is a clock time today, with its day tomorrow and this week, with its date further away", () => {
    assert.equal(by("2026-11-22T07:15:00Z", "2026-11-21T23:00:00Z"), "by 08:15");
    assert.equal(by("2026-11-23T07:15:00Z", "2026-11-22T20:00:00Z"), "by 08:15 tomorrow");
    assert.equal(by("2026-11-26T07:15:00Z", "2026-11-22T20:00:00Z"), "by 08:15 on Thursday");
    assert.equal(by("2026-12-26T07:15:00Z", "2026-11-22T20:00:00Z"), "by 08:15 on Saturday 26 December");
  });

  test("is told in the reader's own zone and language", () => {
    assert.equal(
      by("2026-11-22T07:15:00Z", "2026-11-22T06:00:00Z", { locale: "en-GB", zone: "Asia/Kolkata" }), "by 12:45",
    );
    assert.equal(
      by("2026-11-22T23:30:00Z", "2026-11-22T22:00:00Z", { locale: "en-GB", zone: "Asia/Tokyo" }), "by 08:30",
    );
    assert.equal(
      by("2026-11-22T23:30:00Z", "2026-11-22T12:00:00Z", { locale: "en-GB", zone: "Asia/Tokyo" }), "by 08:30 tomorrow",
    );
    assert(
      /^by 4:15\sPM$/.test(
        by("2026-11-22T21:15:00Z", "2026-11-22T06:00:00Z", { locale: "en-US", zone: "America/New_York" })
      )
    );
  });

  test("counts days, not hours, where the clock is changed", () => {
    // 29 March 2026 has 23 hours in Berlin, 25 October has 25.
    assert.equal(by("2026-03-30T06:15:00Z", "2026-03-28T23:30:00Z"), "by 08:15 tomorrow");
    assert.equal(by("2026-03-29T06:15:00Z", "2026-03-28T22:30:00Z"), "by 08:15 tomorrow");
    assert.equal(by("2026-10-25T22:30:00Z", "2026-10-24T22:30:00Z"), "by 23:30");
    assert.equal(by("2026-10-26T07:15:00Z", "2026-10-25T22:59:00Z"), "by 08:15 tomorrow");
  });
});

const NOW = at("2026-11-22T12:00:00Z");
const MINUTE = 60_000;

describe("What a consumer who waits is told", () => {
  test("is read from the wire, and is nothing where nothing is awaited", () => {
    const expected = (expect: unknown): unknown => parseFrame(JSON.stringify({ expect }));
    assert.deepEqual(expected(null), { kind: "expect" });
    assert.deepEqual(
      expected({ by: 5, position: 2, open: false, opens: 4, more: 1 }),
      { kind: "expect", expect: { by: 5, position: 2, open: false, opens: 4 } },
    );
    assert.deepEqual(expected({ by: "soon", open: true }), { kind: "expect", expect: { open: true } });
    assert.deepEqual(expected({ by: 5 }), { kind: "expect" });
  });

  test("names the time, the place in the queue, and that nobody is there", () => {
    assert(
      /^We’ll reply by \d/.test(wordsOf({ by: NOW + 15 * MINUTE, position: 3, open: true }, undefined, NOW).head ?? "")
    );
    assert.equal(wordsOf({ position: 3, open: true }, undefined, NOW).line, "You’re number 3 in the queue");
    assert.equal(wordsOf({ position: 1, open: true }, undefined, NOW).line, "You’re next");
    assert(
      /^We’re closed right now. We’ll be back /.test(
        wordsOf({ by: NOW + 15 * MINUTE, open: false, opens: NOW }, undefined, NOW).line ?? ""
      )
    );
    assert.equal(wordsOf({ open: false }, undefined, NOW).head, "We’re closed right now");
  });

  test("admits that it takes longer", () => {
    assert.equal(wordsOf({ by: NOW, open: true }, undefined, NOW).head, contactCentreStrings.late);
  });

  test("is an agent's promise rather than anything else", () => {
    assert(
      /^Dana will be back by /.test(
        wordsOf({ by: NOW + MINUTE, open: true }, { name: "Dana", until: NOW + 45 * MINUTE }, NOW).head ?? ""
      )
    );
  });
});

const event = (
  n: number, by: number, content: ConversationEvent["content"],
): ConversationEvent => ({ n, at: n, by, content });
const people = [{ by: 2, role: "agent", name: "Dana" }] as const;

describe("An agent's promise", () => {
  const promise = event(1, 2, { kind: "callback", until: NOW + MINUTE });

  test("holds until its time", () => {
    assert.deepEqual(promised([promise], people, NOW), { name: "Dana", until: NOW + MINUTE });
    assert.equal(promised([promise], people, NOW + MINUTE), undefined);
  });

  test("is over when they are back, when somebody else answers, and when the conversation is closed", () => {
    for (const content of [
      { kind: "callback" }, { kind: "assigned", to: 3 }, { kind: "closed" },
    ] as const) {
      assert.equal(promised([promise, event(2, 2, content)], people, NOW), undefined);
    }
    assert(promised([promise, event(2, 1, { kind: "text", text: "Fine" })], people, NOW));
  });
});
