import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { emptyState, type AgentState } from "../../client/agent/agent-state";
import { emptyThread, withDelivery, withSnapshot, type Thread } from "../../client/agent/agent-thread";
import { attention, belongs, emptyInbox, isUnanswered, sectionOf, withRows } from "../../client/agent/inbox";
import { openEnds, unansweredMessages, unplayedMessages } from "../../client/agent/closing/open-ends";
import { permissionsFor } from "../../client/agent/permissions";
import { agentRows } from "../../client/agent/private-rows";
import { TakenAwayConversations } from "../../client/agent/taken-away";
import type { ConversationEvent, InboxRow } from "../../client/conversation/events";
import { read } from "../../client/core/shapes";
import type { Command } from "../../client/core/wire";
import { inboxRow } from "../../protocol/agent-shapes";
import { agentEvent } from "../support/support";

const row = (more: object = {}): InboxRow => read(inboxRow, {
  c: "C", p: 1, status: "open", to: "dana", toName: "Dana", who: "Mara", since: 50,
  last: { by: 1, text: "Thanks" }, ...more,
}) as InboxRow;
const routing = (more: object): { routing: object } => ({ routing: { skill: "orders", ...more } });
const event = (n: number, what: object): ConversationEvent =>
  agentEvent({ n, at: n, by: 1, ...what }) as ConversationEvent;
const threadOf = (...events: object[]): Thread => withSnapshot(emptyThread("C"), "E", undefined, {
  status: "open", people: [], marks: [], played: [], through: events.length, more: false, fresh: true,
  events: events.map((what, i) => event(i + 1, what)),
});
const AUDIO = { media: "m", ms: 4000, wave: [1], bytes: 9 };
const dana = { id: "dana", permissions: ["conversations.answer", "conversations.read"] };

describe("What closing would leave undone", () => {
  test("is nothing where the brand wrote last and everything was played", () => {
    assert.equal(openEnds(row({ last: { by: 2, text: "Bye" } })), undefined);
    assert.equal(openEnds(row({ status: "closed", ...routing({ callback: 9 }) })), undefined);
    assert.equal(openEnds(undefined), undefined);
  });

  test("is unplayed speech, a promise to be back, and words without an answer with their due time", () => {
    assert.deepEqual(
      openEnds(row({ unplayed: 21_000, ...routing({ callback: 900, due: 700 }) })),
      { unplayedMs: 21_000, callback: 900, unanswered: { since: 50, due: 700 }, call: undefined },
    );
    assert.deepEqual(openEnds(row({ last: { by: 2, text: "Bye" }, unplayed: 5 }))?.unplayedMs, 5);
  });

  test("is a call", () => {
    const call = { n: 7, media: "voice", agent: "dana", until: 9 } as const;
    assert.equal(openEnds(row({ last: { by: 2, text: "Bye" }, ...routing({ call }) }))?.call, true);
    assert.equal(openEnds(row({ status: "closed", ...routing({ call }) })), undefined);
  });

  test("is no answer that someone said is not needed", () => {
    assert.equal(openEnds(row(routing({ settled: true }))), undefined);
    assert.equal(isUnanswered(row(routing({ settled: true }))), false);
  });

  test("is counted: messages without an answer, and voice messages that nobody played", () => {
    const { timeline } = threadOf(
      { audio: AUDIO }, { by: 2, text: "Hm" }, { audio: AUDIO }, { audio: { ...AUDIO, scan: "pending" } },
      { text: "?" },
    );
    assert.deepEqual([unansweredMessages(timeline), unplayedMessages(timeline)], [3, 2]);
    assert.equal(unansweredMessages(threadOf({ text: "a" }, { text: "b" }).timeline), 2);
    assert.equal(unansweredMessages(threadOf().timeline), 0);
  });
});

describe("A word after the close", () => {
  const wrote = row({ status: "closed", to: undefined, unread: 1, ...routing({ afterword: "dana" }) });

  test("is in the list of who closed it, in a section of its own, and counts for the page's title", () => {
    const [me, other] = [{ me: "dana", skills: [] }, { me: "omar", skills: [] }];
    assert.deepEqual([belongs(wrote, "mine", me), belongs(wrote, "mine", other)], [true, false]);
    assert.equal(sectionOf(wrote, "dana", 100), "afterword");
    assert.equal(attention(withRows(emptyInbox, [wrote], 9, true), me), 1);
  });

  test("needs no answer, if who may answer says so", () => {
    assert.equal(permissionsFor(undefined, wrote, dana, "?").maySettle, true);
    assert.equal(permissionsFor(undefined, wrote, { ...dana, permissions: [] }, "?").maySettle, false);
    assert.equal(permissionsFor(undefined, row({ status: "closed" }), dana, "?").maySettle, false);
  });
});

describe("That no answer is needed", () => {
  test("may be said of my own conversation whose last word is the consumer's", () => {
    assert.equal(permissionsFor(undefined, row(), dana, "?").maySettle, true);
    for (const other of [{ last: { by: 2, text: "Bye" } }, { to: "omar" }, routing({ settled: true })]) assert.equal(
      permissionsFor(undefined, row(other), dana, "?").maySettle, false, JSON.stringify(other),
    );
  });
});

describe("A conversation that somebody takes away", () => {
  const state = (held: InboxRow, command?: Command): AgentState => ({
    ...emptyState("dana"), inbox: withRows(emptyInbox, [held], 9, true),
    outbox: command === undefined ? [] : [{ key: "k", c: "C", command, at: 1, order: 1 }],
  });
  const told = (...states: AgentState[]): unknown[] => {
    const watch = new TakenAwayConversations();
    return states.flatMap((one) => watch.done(one).map(({ how }) => how));
  };
  const taken = row({ p: 2, to: "mira", toName: "Mira" });
  const waiting = row({ p: 2, status: "waiting", to: undefined });

  test("is told once: taken over, transferred, or back in the queue", () => {
    assert.deepEqual(told(state(row()), state(taken), state(taken)), ["takenOver"]);
    assert.deepEqual(told(state(row()), state(waiting)), ["queued"]);
    const reserved = row({ p: 2, status: "waiting", to: undefined, ...routing({ for: "mira" }) });
    assert.deepEqual(told(state(row()), state(reserved)), ["transferred"]);
  });

  test("is none that I gave away or closed myself, that was closed, or that was never mine", () => {
    const transfer: Command = { kind: "ask", ask: { transfer: { agent: "mira" } } };
    for (const given of [transfer, { kind: "close" } as const]) {
      assert.deepEqual(told(state(row()), state(row(), given), state(waiting)), []);
    }
    assert.deepEqual(told(state(row()), state(row({ p: 2, status: "closed", to: undefined }))), []);
    assert.deepEqual(told(state(taken), state(taken)), []);
    assert.deepEqual(told(state(row(), transfer), state(waiting), state(row({ p: 3 })), state(taken)), ["takenOver"]);
  });
});

describe("Offers that nobody answered", () => {
  const missed = (...agents: string[]): object => ({ by: 0, declined: { agents, said: false } });
  const rowsOf = (...events: object[]): readonly (readonly [string, number | undefined, number])[] =>
    agentRows(threadOf(...events).timeline, [], { me: 2, online: true, dayOf: () => "d" }).flatMap(
      (one) => (one.row === "system" ? [[one.event.content.kind, one.times, one.at] as const] : [])
    );

  test("are one row for each agent, with their number and the last time", () => {
    assert.deepEqual(
      rowsOf(missed("dana"), missed("omar"), missed("dana"), missed("dana")),
      [["declined", 3, 4], ["declined", undefined, 2]],
    );
  });

  test("begin again after something else, and a refusal stays a row of its own", () => {
    const refused = { by: 2, declined: { agents: ["dana"], said: true } };
    assert.deepEqual(rowsOf(missed("dana"), { text: "Hello?" }, missed("dana"), refused, refused), [
      ["declined", undefined, 1], ["declined", undefined, 3], ["declined", undefined, 4], ["declined", undefined, 5],
    ]);
  });
});

describe("A close that is taken back", () => {
  test("opens the conversation for who had it, or lets it wait again", () => {
    const closed = threadOf({ text: "Hi" }, { by: 2, text: "Bye" }, { by: 2, closed: {} });
    for (const [to, status] of [[2, "open"], [undefined, "waiting"]] as const) {
      const back = withDelivery(closed, [event(4, { by: 2, reopened: { to } })], 4);
      assert.equal(back.timeline.status, status);
    }
  });
});
