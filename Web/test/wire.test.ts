import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import {
  agentHello, parseAgentFrame, standingFrame, stateFrame, unwatchFrame, watchFrame,
} from "../client/agent/agent-wire";
import {
  commandFrame, consumerHello, gotFrame, pageFrame, parseFrame, playedFrame, readFrame, typingFrame,
} from "../client/core/wire";
import { checkedFrame, checkFrame as checkCallFrame, joinFrame, signalFrame } from "../call/frames";
import type { WireCallReadiness, WireCallSignal } from "../protocol/frames";
import type { Presence } from "../client/agent/people";
import type { Span } from "../client/conversation/events";
import type { Command, ServerFrame } from "../client/core/wire";

const GOLDEN = join(process.env["EARSHOT_ROOT"] ?? ".", "Tests/Fixtures/wire");
/** First keys that only clients write. `send` and the like are compared with our own builders below. */
const CLIENT_KINDS = ["hello", "send", "take", "close", "got", "read", "watch", "unwatch", "ask", "state"];
const SERVER_KINDS = [
  "ready", "events", "watching", "ok", "no", "marks", "settings", "rows", "problem", "bye", "me", "centre",
];

const read = (frame: object): ServerFrame | undefined =>
  parseFrame(JSON.stringify(frame)) ?? parseAgentFrame(JSON.stringify(frame));

describe("The golden files", () => {
  const files = existsSync(GOLDEN) ? readdirSync(GOLDEN).filter((name) => name.endsWith(".json")) : [];
  for (const file of files) {
    test(`${file} is read`, () => {
      for (const frame of frames(JSON.parse(readFileSync(join(GOLDEN, file), "utf8")))) checkFrame(frame);
    });
  }
});

/** A file holds one frame, or a list of them. */
const frames = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.flatMap(frames) : [value as Record<string, unknown>];

function checkFrame(frame: Record<string, unknown>): void {
  const kind = Object.keys(frame)[0] ?? "";
  const reversed = Object.fromEntries(Object.entries(frame).reverse());
  assert.deepEqual(read(reversed), read(frame), "the order of members says nothing");
  const parsed = read(frame);
  if (SERVER_KINDS.includes(kind)) assert(parsed, `a ${kind} frame is not read`);
  if (parsed && !isOurs(frame, kind)) checkNothingLost(frame, asItsReader(frame, parsed), kind);
  if (CLIENT_KINDS.includes(kind)) assert.equal(parsed, undefined, `${kind} comes only from clients`);
  if (typeof frame["n"] === "number" && typeof frame["by"] === "number") checkEvent(frame);
  const built = isOurs(frame, kind) ? ours(frame, kind) : undefined;
  if (built !== undefined) assert.deepEqual(JSON.parse(built), frame);
}

/** As an agent's client reads it, unless it is a consumer's `ready`. */
function asItsReader(frame: Record<string, unknown>, parsed: ServerFrame): unknown {
  const isConsumers = "me" in ((frame["ready"] ?? {}) as object);
  return isConsumers ? parsed : parseAgentFrame(JSON.stringify(frame));
}

/** Every member on the wire is in what was read; a tuple's elements and an event's content under their names. */
function checkNothingLost(wire: unknown, found: unknown, path: string): void {
  if (Array.isArray(wire)) {
    const elements = Array.isArray(found) ? found : Object.values(found as object);
    assert.equal(elements.length, wire.length, path);
    return wire.forEach((element, i) => checkNothingLost(element, elements[i], `${path}[${i}]`));
  }
  if (typeof wire !== "object" || wire === null) {
    return assert.equal(typeof found === "boolean" ? Number(found) : found ?? null, isFlag(wire, found), path);
  }
  const event = found as { content?: Record<string, unknown> };
  for (const [name, member] of Object.entries(wire)) {
    const { content } = event;
    const inside = content?.["kind"] === name ? content[name] ?? content : (found as Record<string, unknown>)[name];
    checkNothingLost(member, inside, `${path}.${name}`);
  }
}

const isFlag = (wire: unknown, found: unknown): unknown => (typeof found === "boolean" ? Number(wire) : wire);

/** `typing` and `page` go both ways; a client's has a boolean, or asks for what lies before. */
const isOurs = (frame: Record<string, unknown>, kind: string): boolean =>
  CLIENT_KINDS.includes(kind) || (kind === "typing" && typeof frame["typing"] === "boolean") ||
  (kind === "page" && "before" in frame) || "spans" in frame || isWish(frame, kind) ||
  typeof frame["call"] === "number";

/** `team` and `wall` go both ways too: a client's is a yes or a no. */
const isWish = (frame: Record<string, unknown>, kind: string): kind is "team" | "wall" =>
  (kind === "team" || kind === "wall") && typeof frame[kind] === "boolean";

/** The same frame, written by our own builders. */
function ours(frame: Record<string, unknown>, kind: string): string {
  const c = optional(frame["c"]);
  const [head, n] = [String(frame[kind]), frame[kind] as number];
  const hello = (frame["hello"] ?? {}) as Record<string, string & number>;
  const v = hello["v"];
  const audio = { media: String(frame["audio"]), ms: 0, wave: [], bytes: 0 };
  const say: Command = "text" in frame ? { kind: "text", text: String(frame["text"]) } : { kind: "audio", audio };
  const built: Record<string, () => string> = {
    hello: () =>
      hello["ticket"]
        ? agentHello(hello["ticket"], hello["position"], hello["epoch"], v)
        : consumerHello(hello["token"] ?? "", hello["after"], hello["epoch"], v),
    send: () => commandFrame(head, say, c, frame["read"] as number | undefined),
    take: () => commandFrame(head, { kind: "take" }, c),
    close: () => commandFrame(head, { kind: "close" }, c),
    ask: () => {
      const rest = Object.entries(frame).filter(([name]) => name !== "ask" && name !== "c");
      return commandFrame(head, { kind: "ask", ask: Object.fromEntries(rest) }, c);
    },
    state: () => stateFrame(head as Presence, optional(frame["reason"])),
    team: () => standingFrame("team", frame["team"] === true),
    wall: () => standingFrame("wall", frame["wall"] === true),
    got: () => gotFrame(n, c),
    read: () => readFrame(n, c),
    played: () => playedFrame(n, frame["spans"] as Span[], c),
    typing: () => typingFrame(frame["typing"] === true, c),
    watch: () => watchFrame(head, frame["after"] as number | undefined),
    unwatch: () => unwatchFrame(head),
    signal: () => signalFrame(frame["signal"] as WireCallSignal, frame["call"] as number, c),
    call: () => joinFrame(n, String(frame["device"]), frame["fresh"] === true, c),
    check: () => checkCallFrame(head),
    checked: () => checkedFrame(frame["checked"] as WireCallReadiness),
    page: () => pageFrame(frame["before"] as number, frame["limit"] as number | undefined, optional(frame["page"])),
  };
  return (built[kind] ?? (() => "{}"))();
}

const SHARED = [
  "text", "audio", "started", "joined", "assigned", "closed", "resumed", "scanned", "automatic", "left", "callback",
  "surveyed", "rated", "reopened", "callInvited", "callAnswered", "callEnded", "callRequested",
];
const PRIVATE = [
  "queued", "offered", "declined", "note", "noticed", "settled", "tagged", "attribute", "disposed", "urgent",
];

/**
 * An event by itself: read as part of a delivery, and it is of a kind that we know; what is private is known to agents
 * only.
 */
function checkEvent(event: Record<string, unknown>): void {
  for (const [parse, kinds] of [[parseFrame, SHARED], [parseAgentFrame, [...SHARED, ...PRIVATE]]] as const) {
    const parsed = parse(JSON.stringify({ events: [event] }));
    assert(parsed?.kind === "events");
    assert.equal(parsed.events.length, 1);
    assert.equal(parsed.events[0]?.content.kind, kinds.find((kind) => kind in event) ?? "unknown");
  }
}

const optional = (v: unknown): string | undefined => (typeof v === "string" ? v : undefined);

describe("A frame from the server", () => {
  test("with every kind of event is read", () => {
    const events = [
      { n: 1, at: 5, by: 1, started: { channel: "web", app: "shop" } },
      { n: 2, at: 6, by: 1, text: "Hello" },
      { n: 3, at: 7, by: 2, joined: { role: "agent", name: "Dana" } },
      { n: 4, at: 8, by: 2, assigned: { to: 2 } },
      { n: 5, at: 9, by: 1, audio: { media: "m", ms: 1234, wave: [0, 50, 100], bytes: 9 } },
      { n: 6, at: 10, by: 2, closed: {} },
      { n: 7, at: 11, by: 1, resumed: {} },
      { n: 8, at: 12, by: 0, scanned: { of: 5, verdict: "clean" } },
    ];
    const frame = read({ events });
    assert(frame?.kind === "events");
    assert.deepEqual(
      frame.events.map((event) => event.content.kind),
      ["started", "text", "joined", "assigned", "audio", "closed", "resumed", "scanned"],
    );
    assert.equal(frame.through, undefined, "it is the last event's number");
  });

  test("says what was played, what is set, and what waits for the scanner", () => {
    assert.deepEqual(read({ played: [[3, 2, 45, 0], [5, 1, 140, 1], ["x"]], c: "C" }), {
      kind: "played", c: "C",
      played: [{ n: 3, by: 2, percent: 45, listened: false }, { n: 5, by: 1, percent: 100, listened: true }],
    });
    assert.deepEqual(read({ settings: { v: 4, audio: { on: false, why: "role", ms: 60000, keep: 5 } } }), {
      kind: "settings", settings: { v: 4, audio: { on: false, why: "role", ms: 60000, keep: 5 } },
    });
    assert.equal(read({ settings: 7 }), undefined);
    const audio = { media: "m", ms: 5, wave: [], bytes: 1, loud: -231, scan: "pending" };
    const frame = read({ events: [{ n: 1, at: 1, by: 1, audio }] });
    assert(frame?.kind === "events" && frame.events[0]?.content.kind === "audio");
    assert.deepEqual([frame.events[0].content.audio.loud, frame.events[0].content.audio.scan], [-231, "pending"]);
  });

  test("with a verdict that we do not know means failed: a doubt opens nothing", () => {
    const frame = read({ events: [{ n: 9, at: 1, by: 0, scanned: { of: 3, verdict: "perhaps" } }] });
    assert(frame?.kind === "events");
    assert.deepEqual(frame.events[0]?.content, { kind: "scanned", of: 3, verdict: "failed" });
  });

  test("of an unknown kind is ignored", () => {
    assert.equal(read({ horoscope: 7 }), undefined);
    assert.equal(read({ constructor: 7 }), undefined);
    assert.equal(read({ __proto__x: 7 }), undefined);
  });

  test("that is no frame at all is ignored", () => {
    for (const text of ["", "{", "[]", "7", "null", '"ready"', "{}"]) assert.equal(parseFrame(text), undefined);
  });

  test("with an event of an unknown kind counts it and shows nothing", () => {
    const frame = read({ events: [{ n: 9, at: 1, by: 2, dance: {} }] });
    assert(frame?.kind === "events");
    assert.deepEqual(frame.events[0]?.content, { kind: "unknown" });
    assert.equal(frame.events[0]?.n, 9);
  });

  test("without its first member is ignored, and so is what such a thing is a part of", () => {
    assert.equal(read({ ok: 7, n: 1, at: 2 }), undefined);
    assert.equal(read({ ready: { epoch: 7 } }), undefined);
    assert.equal(read({ events: {} }), undefined);
    const watching = JSON.stringify({ watching: 5, events: [], marks: [] });
    assert.equal(parseAgentFrame(watching), undefined, "the first kind decides");
    const events = [{ at: 1, by: 1, text: "a" }, { n: 0, at: 1, by: 1, text: "b" }, 7, null, { n: 2, text: "c" }];
    assert.deepEqual(read({ events }), {
      kind: "events", events: [{ n: 2, at: 0, by: 0, content: { kind: "text", text: "c" } }],
    });
    const who = { id: "a", name: "Dana", role: "agent", skills: [], load: 0, capacity: 3, open: 0 };
    assert.deepEqual(parseAgentFrame(JSON.stringify({ team: [who, { ...who, presence: {} }] })), {
      kind: "team", team: [],
    });
  });

  test("with members of another type has their neutral values, and members that we do not know are left out", () => {
    assert.deepEqual(read({ ok: "k", n: "1", at: null, c: 5, horoscope: 7 }), { kind: "ok", ok: "k", n: 0, at: 0 });
    assert.deepEqual(read({ page: null, events: "x", more: 1 }), { kind: "page", events: [], more: false, played: [] });
    assert.deepEqual(read({ no: "k", code: "c", text: "t", limit: 1e999, after: 5 }), {
      kind: "no", no: "k", code: "c", text: "t", after: 5,
    });
  });

  test("with a broken waveform still shows the message", () => {
    const audio = { media: "m", ms: "x", wave: [null, 3.5, 900, "7"], bytes: 1 };
    const frame = read({ events: [{ n: 1, at: 1, by: 1, audio }] });
    assert(frame?.kind === "events");
    const content = frame.events[0]?.content;
    assert(content?.kind === "audio");
    assert.deepEqual(content.audio, { media: "m", ms: 0, wave: [3.5, 100], bytes: 1 });
  });

  test("ready tells a consumer from an agent", () => {
    assert.equal(parseFrame('{"rows":[],"position":4}'), undefined);
    assert.equal(parseAgentFrame('{"rows":[],"position":4}')?.kind, "rows");
    const snapshot = { status: "new", people: [], marks: [], events: [], through: 0, more: false };
    assert.equal(read({ ready: { epoch: "E", me: 1, ...snapshot } })?.kind, "ready");
    const ready = { epoch: "E", agent: "a", rows: [], position: 3, fresh: true };
    const inbox = parseAgentFrame(JSON.stringify({ ready }));
    assert(inbox?.kind === "ready" && "rows" in inbox.ready);
  });
});

describe("A frame from us", () => {
  test("has its kind as the first key and nothing needless", () => {
    assert.equal(commandFrame("k0", { kind: "text", text: "Hi" }, undefined, 4), '{"send":"k0","text":"Hi","read":4}');
    const audio = { media: "m", ms: 1, wave: [], bytes: 1 };
    assert.equal(commandFrame("k1", { kind: "audio", audio }), '{"send":"k1","audio":"m"}');
    assert.equal(commandFrame("k2", { kind: "take" }, "C"), '{"take":"k2","c":"C"}');
    assert.equal(consumerHello("T"), '{"hello":{"token":"T"}}');
    assert.equal(consumerHello("T", 4, "E"), '{"hello":{"token":"T","after":4,"epoch":"E"}}');
    assert.equal(consumerHello("T", 4, "E", 3), '{"hello":{"token":"T","after":4,"epoch":"E","v":3}}');
    assert.equal(playedFrame(7, [[0, 4000], [9000, 12345]]), '{"played":7,"spans":[[0,4000],[9000,12345]]}');
    assert.equal(playedFrame(7, [[0, 4000]], "C"), '{"played":7,"c":"C","spans":[[0,4000]]}');
    assert.equal(pageFrame(51, 50), '{"page":null,"before":51,"limit":50}');
    assert.equal(typingFrame(true), '{"typing":true}');
  });
});
