import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ConversationEvent } from "../../client/conversation/events";
import { parseAvailability } from "../../client/consumer/availability";
import { parseFrame } from "../../client/core/wire";
import { momentText, promised } from "../../client/conversation/waiting";
import { contactCentreStrings } from "../../widget/contact-centre/contact-centre-strings";
import { outlookText } from "../../widget/contact-centre/outlook";
import { wordsOf } from "../../widget/contact-centre/waiting-text";

const BERLIN = { locale: "en-GB", zone: "Europe/Berlin" };
const at = (iso: string): number => Date.parse(iso);
const by = (when: string, now: string, reader = BERLIN): string => momentText(
  at(when), at(now), contactCentreStrings.by, reader,
);

const matches = (text: string, pattern: RegExp): void => assert(pattern.test(text), text);

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
    const wire = { by: 5, position: 2, open: false, hours: { open: false, opens: 4 }, late: true };
    assert.deepEqual(expected({ ...wire, more: 1 }), { kind: "expect", expect: wire });
    const open = { open: true, hours: { open: true } };
    assert.deepEqual(expected({ by: "soon", ...open }), { kind: "expect", expect: open });
    assert.deepEqual(expected({ by: 5 }), { kind: "expect" });
  });

  const here = { open: true, hours: { open: true } };
  const soon = { ...here, by: NOW + 15 * MINUTE };

  test("names the time in the header, and the place in the queue under the messages", () => {
    const { head, line } = wordsOf({ expected: { ...soon, position: 3 } }, NOW);
    matches(head ?? "", /^We’ll reply by \d[^.]*$/);
    assert.equal(line, "You’re number 3 in the queue");
    assert.equal(wordsOf({ expected: { ...here, position: 1 } }, NOW).line, "You’re next");
  });

  test("says once until when it is closed, and names no place in a queue that nobody serves", () => {
    const hours = { open: false, opens: NOW + 60 * MINUTE };
    const closed = { open: false, hours, by: NOW + 75 * MINUTE, position: 6 };
    const { head, line } = wordsOf({ expected: closed }, NOW);
    matches(head ?? "", /^We’re closed right now\. We’ll be back at \d/);
    assert.equal(line, undefined);
    assert.equal(wordsOf({ expected: { open: false, hours: { open: false } } }, NOW).head, "We’re closed right now");
  });

  test("says that nobody is there, within the hours, too", () => {
    const nobody = { open: false, hours: { open: true } };
    assert.equal(
      wordsOf({ expected: nobody }, NOW).head,
      "Nobody is here right now. We’ll answer as soon as somebody is back.",
    );
    matches(
      wordsOf({ expected: { ...nobody, by: NOW + MINUTE } }, NOW).head ?? "",
      /^Nobody is here right now\. We’ll reply by /,
    );
  });

  test("admits that it takes longer, with the new time where there is one", () => {
    assert.equal(wordsOf({ expected: { ...here, late: true } }, NOW).head, contactCentreStrings.late);
    assert.equal(wordsOf({ expected: { ...here, by: NOW } }, NOW).head, contactCentreStrings.late, "not yet told");
    matches(
      wordsOf({ expected: { ...soon, late: true } }, NOW).head ?? "",
      /^Sorry, it takes longer than we said\. We’ll reply by \d/,
    );
    const closed = { ...soon, late: true, open: false, hours: { open: false, opens: NOW + MINUTE } };
    // Before anything about the hours.
    matches(wordsOf({ expected: closed }, NOW).head ?? "", /^Sorry/);
  });

  test("is the agent's name while one answers, and never that the shop is closed", () => {
    assert.deepEqual(wordsOf({ agent: "Mira" }, NOW), { head: "You’re chatting with Mira" });
    const closed = { by: NOW + MINUTE, late: true, open: false, hours: { open: false, opens: NOW + MINUTE } };
    const { head, line } = wordsOf({ agent: "Mira", expected: closed }, NOW);
    assert.equal(head, "You’re chatting with Mira");
    matches(line ?? "", /^Sorry, it takes longer than we said\. We’ll reply by /);
  });

  test("is an agent's promise rather than anything else", () => {
    const promise = { name: "Dana", until: NOW + 45 * MINUTE };
    const { head, line } = wordsOf({ expected: { ...soon, position: 2 }, promise, agent: "Dana" }, NOW);
    matches(head ?? "", /^Dana will be back by /);
    assert.equal(line, undefined);
  });
});

describe("Who has not written yet", () => {
  const told = (v: unknown): string => outlookText(parseAvailability(v), NOW);

  test("is told that somebody is there, and how fast, where a time is promised", () => {
    assert.equal(told({ open: true, hours: { open: true } }), "We’re here");
    assert.equal(told({ open: true, hours: { open: true }, within: 600 }), "We’re here, and reply within 10 minutes");
    assert.equal(told({ open: true, hours: { open: true }, within: 1 }), "We’re here, and reply within 1 minute");
    assert.equal(told({ open: true, hours: { open: true }, within: 3601 }), "We’re here, and reply within 2 hours");
  });

  test("is told that nobody is there, or until when it is closed, and that a message is welcome", () => {
    const nobody = { open: false, hours: { open: true }, within: 600 };
    assert.equal(told(nobody), "Nobody is here right now. Leave a message.");
    matches(
      told({ open: false, hours: { open: false, opens: NOW + MINUTE } }), /^Closed until \d.*\. Leave a message\.$/,
    );
    assert.equal(told({ open: false, hours: { open: false } }), "We’re closed right now. Leave a message.");
  });

  test("is told nothing good by an answer that cannot be read", () => {
    assert.equal(told(null), "We’re closed right now. Leave a message.");
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
