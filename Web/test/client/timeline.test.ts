import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ConversationEvent } from "../../client/conversation/events";
import {
  delivered, emptyTimeline, filled, hole, marked, markOfOthers, opened, paged, said,
} from "../../client/conversation/timeline";
import type { Timeline } from "../../client/conversation/timeline";
import type { Snapshot } from "../../client/core/wire";

const text = (n: number, by = 1): ConversationEvent => (
  { n, at: n * 1000, by, content: { kind: "text", text: `message ${n}` } }
);
const texts = (from: number, to: number): ConversationEvent[] => Array.from(
  { length: to - from + 1 }, (_, i) => text(from + i),
);
const snapshot = (events: ConversationEvent[], more: Partial<Snapshot> = {}): Snapshot => ({
  status: "open",
  people: [],
  marks: [],
  events,
  played: [],
  through: events[events.length - 1]?.n ?? 0,
  more: false,
  fresh: false,
  ...more,
});
const numbers = (t: Timeline): number[] => t.events.map((event) => event.n);
const started = (to: number): Timeline => opened(emptyTimeline, "E", snapshot(texts(1, to)));

describe("A timeline", () => {
  test("drops what it already has", () => {
    const t = delivered(delivered(started(3), texts(4, 5), 5), texts(3, 5), 5);
    assert.deepEqual(numbers(t), [1, 2, 3, 4, 5]);
    assert.equal(t.cursor, 5);
  });

  test("continues after a reconnect, and starts again in another epoch", () => {
    const on = opened(started(3), "E", snapshot(texts(4, 5)));
    assert.deepEqual(numbers(on), [1, 2, 3, 4, 5]);
    assert.deepEqual(numbers(opened(on, "F", snapshot(texts(1, 2)))), [1, 2]);
    assert.deepEqual(numbers(opened(on, "E", snapshot(texts(8, 9), { fresh: true, more: true }))), [8, 9]);
  });

  test("moves its cursor to what the server vouched for, not to what it counted", () => {
    const t = delivered(started(3), [], 8);
    assert.equal(t.cursor, 8);
    assert.equal(hole(t), undefined);
  });

  test("opens a hole where numbers are missing, and keeps its cursor below it", () => {
    const t = delivered(started(3), [text(6, 2)], 6);
    assert.equal(t.cursor, 3);
    assert.deepEqual(hole(t), { before: 6, limit: 2 });
    const whole = filled(t, texts(4, 5), { before: 6, limit: 2 });
    assert.deepEqual(numbers(whole), [1, 2, 3, 4, 5, 6]);
    assert.equal(whole.cursor, 6);
    assert.equal(hole(whole), undefined);
  });

  test("closes a hole of numbers that the viewer may not see", () => {
    const t = filled(delivered(started(3), [text(6, 2)], 6), [text(2), text(3)], { before: 6, limit: 2 });
    assert.equal(t.cursor, 6);
    assert.deepEqual(numbers(t), [1, 2, 3, 6]);
  });

  test("closes a hole by itself when the missing event arrives late", () => {
    const t = delivered(delivered(started(3), [text(5, 2)], 5), [text(4, 2)], 4);
    assert.deepEqual(numbers(t), [1, 2, 3, 4, 5]);
    assert.equal(t.cursor, 5);
  });

  test("asks again when a second hole opened above the first", () => {
    const first = delivered(started(3), [text(6, 2)], 6);
    const second = delivered(first, [text(9, 2)], 9);
    assert.deepEqual(hole(second), { before: 9, limit: 5 });
    const half = filled(second, texts(4, 5), { before: 6, limit: 2 });
    assert.equal(half.cursor, 6);
    assert.deepEqual(hole(half), { before: 9, limit: 2 });
  });

  test("asks further down when a page was too short for the hole", () => {
    const t = delivered(started(3), [text(400, 2)], 400);
    assert.deepEqual(hole(t), { before: 400, limit: 200 });
    const half = filled(t, texts(200, 399), { before: 400, limit: 200 });
    assert.equal(half.cursor, 3);
    assert.deepEqual(hole(half), { before: 200, limit: 196 });
    assert.equal(filled(half, texts(4, 199), { before: 200, limit: 196 }).cursor, 400);
  });

  test("takes its own event at its place, and once", () => {
    const t = said(said(started(3), text(4)), text(4));
    assert.deepEqual(numbers(t), [1, 2, 3, 4]);
    assert.equal(t.cursor, 4);
  });

  test("takes its own event though a later one of the other side came first", () => {
    const t = said(delivered(started(3), [text(5, 2)], 5), text(4));
    assert.deepEqual(numbers(t), [1, 2, 3, 4, 5]);
    assert.equal(t.cursor, 5);
  });

  test("leaves an own event from far above to the page that holds it", () => {
    const t = opened(emptyTimeline, "E", snapshot(texts(51, 60), { more: true }));
    assert.deepEqual(numbers(said(t, text(7)))[0], 51);
    assert.deepEqual(numbers(paged(t, texts(1, 50), false)).length, 60);
  });

  test("follows the state of the conversation and who joined", () => {
    const joined: ConversationEvent = {
      n: 4, at: 1, by: 2, content: { kind: "joined", role: "agent", name: "Dana", id: "x" },
    };
    const closed: ConversationEvent = { n: 5, at: 1, by: 2, content: { kind: "closed" } };
    const t = delivered(started(3), [joined, closed], 5);
    assert.equal(t.status, "closed");
    assert.deepEqual(t.people, [{ by: 2, role: "agent", name: "Dana", id: "x" }]);
    assert.equal(delivered(t, [{ n: 6, at: 1, by: 1, content: { kind: "resumed" } }], 6).status, "waiting");
  });

  test("lets watermarks only rise", () => {
    const t = marked(marked(started(3), [{ by: 2, delivered: 3, read: 2 }]), [{ by: 2, delivered: 1, read: 3 }]);
    assert.deepEqual(markOfOthers(t, 1), { delivered: 3, read: 3 });
  });
});
