import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { covered, parseSpans, playedMs } from "../../client/conversation/played-spans";
import type { AudioContent, ConversationEvent, Span } from "../../client/conversation/events";
import {
  PlaybackProgressReporter, REPORT_AGAIN_MS, REPORT_EVERY_MS, MOST_REPORTED, MOST_SPANS,
} from "../../client/conversation/playback-progress";
import { MemoryStore } from "../../client/core/ports";
import { DEFAULT_SETTINGS, newerSettings, parseSettings } from "../../client/core/settings";
import { thread } from "../../client/conversation/thread";
import type { Bubble } from "../../client/conversation/thread";
import { delivered, emptyTimeline, listened, opened } from "../../client/conversation/timeline";
import { ManualClock } from "../support/support";

describe("Coverage", () => {
  test("joins what touches or overlaps, and keeps what lies apart", () => {
    const apart = covered(covered([], 0, 1000), 2000, 3000);
    assert.deepEqual(apart, [[0, 1000], [2000, 3000]]);
    assert.deepEqual(covered(apart, 1000, 2000), [[0, 3000]]);
    assert.equal(playedMs(apart), 2000);
  });

  test("counts nothing twice", () => {
    const spans = covered(covered(covered([], 500, 900), 0, 1000), 200, 300);
    assert.deepEqual(spans, [[0, 1000]]);
  });

  test("takes no empty, backward or broken span", () => {
    const held: readonly Span[] = [[0, 10]];
    for (const [from, to] of [[5, 5], [9, 3], [NaN, 5], [3, NaN]] as const) assert.equal(covered(held, from, to), held);
    assert.deepEqual(parseSpans([[0, 5], ["x", 2], [4, 9], 7, [1]]), [[0, 9]]);
  });
});

/** A player's side of `PlaybackProgressReporter`, with a link that can be cut. */
interface Listener {
  playbackProgress: PlaybackProgressReporter;
  clock: ManualClock;
  storage: MemoryStore;
  sent: unknown[];
  link: { on: boolean };
}

function newListener(): Listener {
  const [clock, storage, sent, link] = [new ManualClock(), new MemoryStore(), [] as unknown[], { on: true }];
  const send = (frame: string): boolean => {
    if (link.on) sent.push(JSON.parse(frame));
    return link.on;
  };
  return {
    playbackProgress: new PlaybackProgressReporter({ clock, storage, place: () => "h", send }),
    clock,
    storage,
    sent,
    link,
  };
}

describe("What was played", () => {
  test("is told every few seconds, whole, and not again while nothing is new", async () => {
    const { playbackProgress, clock, sent } = newListener();
    playbackProgress.played(7, 0, 250);
    playbackProgress.played(7, 250, 500);
    assert.deepEqual(sent, []);
    await clock.advance(REPORT_EVERY_MS);
    assert.deepEqual(sent, [{ played: 7, spans: [[0, 500]] }]);
    await clock.advance(10 * REPORT_EVERY_MS);
    assert.equal(sent.length, 1);
    playbackProgress.played(7, 100, 300);
    playbackProgress.flush();
    assert.equal(sent.length, 1, "what was covered before says nothing new");
  });

  test("is told at once at a pause", () => {
    const { playbackProgress, sent } = newListener();
    playbackProgress.played(3, 0, 900, "C");
    playbackProgress.flush();
    assert.deepEqual(sent, [{ played: 3, c: "C", spans: [[0, 900]] }]);
  });

  test("is kept while there is no connection, survives a reload, and is told after it", async () => {
    const { playbackProgress, clock, storage, sent, link } = newListener();
    link.on = false;
    playbackProgress.played(3, 0, 900);
    playbackProgress.flush();
    assert.deepEqual(sent, []);
    const next = new PlaybackProgressReporter(
      { clock, storage, place: () => "h", send: (frame) => sent.push(JSON.parse(frame)) > 0 }
    );
    next.reconnected();
    assert.deepEqual(sent, [{ played: 3, spans: [[0, 900]] }]);
    await clock.advance(REPORT_AGAIN_MS + 1);
    assert.equal(storage.get("h"), undefined, "nothing is kept once it was told, and time passed");
  });

  test("that went out shortly before the connection broke is told again, older is not", async () => {
    const { playbackProgress, clock, sent } = newListener();
    playbackProgress.played(3, 0, 900);
    playbackProgress.flush();
    await clock.advance(REPORT_AGAIN_MS + 1);
    playbackProgress.played(4, 0, 500);
    playbackProgress.flush();
    playbackProgress.reconnected();
    assert.deepEqual(sent.map((frame) => (frame as { played: number }).played), [3, 4, 4]);
  });

  test("is remembered for so many messages, and no more", () => {
    for (const [count, told] of [
      [MOST_REPORTED - 1, MOST_REPORTED - 1], [MOST_REPORTED, MOST_REPORTED], [MOST_REPORTED + 1, MOST_REPORTED],
    ] as const) {
      const { playbackProgress, sent } = newListener();
      for (let n = 1; n <= count; n++) playbackProgress.played(n, 0, 100);
      playbackProgress.flush();
      assert.equal(sent.length, told);
    }
  });

  test("in more pieces than a frame carries goes out in more frames", () => {
    for (const [pieces, frames] of [[MOST_SPANS, 1], [MOST_SPANS + 1, 2]] as const) {
      const { playbackProgress, sent } = newListener();
      for (let i = 0; i < pieces; i++) playbackProgress.played(1, i * 100, i * 100 + 50);
      playbackProgress.flush();
      assert.equal(sent.length, frames);
    }
  });

  test("and kept as nonsense on the device is nothing", () => {
    for (const kept of ["{", "7", '[{"n":"x"}]', '[{"n":3}]', '[{"n":3,"spans":[["a",1]]}]']) {
      const { playbackProgress, storage, sent } = newListener();
      storage.set("h", kept);
      playbackProgress.reconnected();
      assert.deepEqual(sent, []);
    }
  });
});

const sound = (n: number, by: number, more: Partial<AudioContent> = {}): ConversationEvent =>
  (
    {
      n,
      at: n * 1000,
      by,
      content: { kind: "audio", audio: { media: `m${n}`, ms: 10_000, wave: [], bytes: 1, ...more } },
    }
  );
const bubbles = (me: number, events: ConversationEvent[], played: Parameters<typeof listened>[1] = []): Bubble[] => {
  const snapshot = {
    status: "open" as const,
    people: [],
    marks: [{ by: 2, delivered: 9, read: 9 }],
    events,
    played: [],
    through: 9,
    more: false,
    fresh: true,
  };
  const timeline = listened(opened(emptyTimeline, "E", snapshot), played);
  return thread(
    timeline, [], { me, online: true, dayOf: () => "d" },
  ).filter((row): row is Bubble => row.row === "bubble");
};

describe("A voice message in the conversation", () => {
  test("is read, and listened to only when the server says so", () => {
    const partly = { n: 1, by: 2, percent: 79, listened: false };
    assert.deepEqual(bubbles(1, [sound(1, 1)]).map(({ delivery }) => delivery), ["read"]);
    assert.deepEqual(
      bubbles(1, [sound(1, 1)], [partly]).map(({ delivery, played }) => [delivery, played?.percent]), [["read", 79]],
    );
    assert.equal(
      bubbles(1, [sound(1, 1)], [partly, { ...partly, percent: 81, listened: true }])[0]?.delivery, "listened",
    );
  });

  test("is not listened to by who said it, nor by the other people of the same side", () => {
    const own = { n: 1, by: 1, percent: 100, listened: true };
    assert.equal(bubbles(1, [sound(1, 1)], [own])[0]?.delivery, "read");
    assert.equal(bubbles(2, [sound(1, 2)], [{ ...own, by: 3 }])[0]?.played?.listened, false);
  });

  test("stays listened to, whatever comes late or twice", () => {
    const late = listened(
      listened(emptyTimeline, [{ n: 1, by: 2, percent: 90, listened: true }]),
      [{ n: 1, by: 2, percent: 10, listened: false }],
    );
    assert.deepEqual(late.played.get(1), [{ n: 1, by: 2, percent: 90, listened: true }]);
  });

  test("of the other side is unplayed until somebody of mine listened", () => {
    const [agents, consumer] = [bubbles(3, [sound(1, 1), sound(2, 2)]), bubbles(1, [sound(1, 1), sound(2, 2)])];
    assert.deepEqual(agents.map(({ unplayed }) => unplayed), [true, undefined]);
    assert.deepEqual(consumer.map(({ unplayed }) => unplayed), [undefined, true]);
    assert.equal(
      bubbles(3, [sound(1, 1)], [{ n: 1, by: 2, percent: 100, listened: true }])[0]?.unplayed,
      undefined,
      "a colleague played it",
    );
    assert.equal(bubbles(-1, [sound(1, 1)])[0]?.unplayed, true, "who only watches sees it too");
  });

  test("that waits for the scanner is let through, or blocked, by what the scanner says later", () => {
    const scanned = (verdict: "clean" | "blocked"): ConversationEvent => (
      { n: 2, at: 2000, by: 0, content: { kind: "scanned", of: 1, verdict } }
    );
    const scan = (events: ConversationEvent[]): unknown => {
      const said = bubbles(2, events)[0]?.said;
      return said?.kind === "audio" && said.audio.scan;
    };
    const waiting = sound(1, 1, { scan: "pending" });
    assert.equal(scan([waiting]), "pending");
    assert.equal(bubbles(2, [waiting])[0]?.unplayed, undefined, "what cannot be played is not owed");
    assert.equal(scan([waiting, scanned("clean")]), undefined);
    assert.equal(bubbles(2, [waiting, scanned("clean")])[0]?.unplayed, true);
    assert.equal(scan([waiting, scanned("blocked")]), "blocked");
    assert.equal(bubbles(2, [waiting, scanned("blocked")])[0]?.unplayed, undefined);
    assert.equal(scan([sound(1, 1), scanned("blocked")]), "blocked", "found harmful afterwards");
  });

  test("is let through by a delivery, not only by a snapshot", () => {
    const t = delivered(
      delivered(emptyTimeline, [sound(1, 1, { scan: "pending" })], 1),
      [{ n: 2, at: 5, by: 0, content: { kind: "scanned", of: 1, verdict: "clean" } }],
      2,
    );
    const [bubble] = thread(t, [], { me: 2, online: true, dayOf: () => "d" }).filter((row) => row.row === "bubble");
    assert(bubble?.row === "bubble" && bubble.said.kind === "audio");
    assert.equal(bubble.said.audio.scan, undefined);
  });
});

describe("Settings", () => {
  test("are read, bounded, and the defaults where they cannot be read", () => {
    assert.deepEqual(
      parseSettings({ v: 3, audio: { on: true, ms: 60_000, keep: 5 } }),
      { v: 3, audio: { on: true, ms: 60_000, keep: 5 } },
    );
    assert.deepEqual(
      parseSettings({ v: 4, audio: { on: false, why: "brand", ms: 1, keep: 1e9 } }),
      { v: 4, audio: { on: false, why: "brand", ms: 1, keep: 100 } },
    );
    assert.equal(parseSettings({ v: 4, audio: { on: true, keep: -3 } }).audio.keep, 0);
    assert.equal(parseSettings({ v: 4, audio: { on: false, why: "weather" } }).audio.why, "brand");
    for (const broken of [{ v: 1 }, { v: 1, audio: {} }, { audio: { on: false } }, 7, undefined]) {
      assert.equal(parseSettings(broken), DEFAULT_SETTINGS);
    }
  });

  test("that are older do not replace newer ones", () => {
    const [old, young] = [
      parseSettings({ v: 3, audio: { on: true } }), parseSettings({ v: 4, audio: { on: false } }),
    ];
    assert(old && young);
    assert.equal(newerSettings(young, old), young);
    assert.equal(newerSettings(old, young), young);
  });
});
