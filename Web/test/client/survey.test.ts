import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { surveyState } from "../../client/conversation/survey";
import type { ConversationEvent } from "../../client/conversation/events";
import { consumerEvent } from "../support/support";

const UNTIL = 10_000;
const ASKED = { question: "How did we do?", csat: true, nps: false, words: true, until: UNTIL };
const log = (...kinds: object[]): ConversationEvent[] =>
  kinds.flatMap((kind, i) => consumerEvent({ n: i + 1, at: i, by: 1, ...kind }) ?? []);
const pending = (rate: object, refused?: { code: string; text: string }) =>
  ({ key: "k", at: 1, order: 1, command: { kind: "ask", ask: { rate } }, ...(refused ? { refused } : {}) }) as const;

describe("A survey", () => {
  test("is asked by an event, and by no other", () => {
    assert.equal(surveyState(log({ closed: {} }), [], 1, 0), undefined);
    assert.deepEqual(
      surveyState(log({ surveyed: ASKED }), [], 1, 0), { survey: { n: 1, ...ASKED }, rating: {}, open: true },
    );
  });

  test("adds up its answers; a later one counts", () => {
    const events = log(
      { surveyed: ASKED }, { rated: { csat: 2 } }, { rated: { nps: 9, text: "Kind" } }, { rated: { csat: 5 } },
    );
    assert.deepEqual(surveyState(events, [], 1, 0)?.rating, { csat: 5, nps: 9, text: "Kind" });
  });

  test("counts an answer in flight, unless it was refused", () => {
    const events = log({ surveyed: ASKED }, { rated: { csat: 2 } });
    assert.equal(surveyState(events, [pending({ csat: 4 })], 1, 0)?.rating.csat, 4);
    assert.equal(
      surveyState(events, [pending({ csat: 4 }, { code: "survey_closed", text: "" })], 1, 0)?.rating.csat, 2,
    );
  });

  test("is over at its time, and as soon as the conversation goes on; what was answered stays with it", () => {
    const asked = log({ surveyed: ASKED }, { rated: { csat: 3 } });
    assert.equal(surveyState(asked, [], 1, UNTIL)?.open, false);
    const on = surveyState(
      log({ surveyed: ASKED }, { rated: { csat: 3 } }, { resumed: {} }, { text: "One more thing" }),
      [pending({ csat: 1 })],
      1,
      0,
    );
    assert.deepEqual([on?.open, on?.rating.csat], [false, 3]);
  });

  test("stays open after one more word of the consumer, and ends when the close is taken back", () => {
    const thanked = log({ surveyed: ASKED }, { text: "Thanks!" }, { rated: { csat: 5 } });
    const state = surveyState(thanked, [], 1, 0);
    assert.deepEqual([state?.open, state?.rating.csat], [true, 5]);
    assert.equal(surveyState(log({ surveyed: ASKED }, { by: 2, reopened: { to: 2 } }), [], 1, 0)?.open, false);
  });

  test("takes each answer for its own survey", () => {
    const events = log(
      { surveyed: ASKED },
      { rated: { csat: 3 } },
      { text: "Again" },
      { closed: {} },
      { surveyed: ASKED },
      { rated: { csat: 5 } },
    );
    assert.deepEqual([surveyState(events, [], 1, 0)?.rating.csat, surveyState(events, [], 5, 0)?.rating.csat], [3, 5]);
  });

  test("takes no answer that there is not", () => {
    assert.deepEqual(
      surveyState(log({ surveyed: ASKED }, { rated: { csat: 6, nps: -1, text: 7 } }), [], 1, 0)?.rating, {},
    );
  });
});
