import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { filledReply, fitting, mentioned, mentioning, slashed } from "../../client/agent/canned-replies/canned-replies";
import { ContactCentreStore, parseContactCentre, type Canned } from "../../client/agent/contact-centre";
import { query, saveViews, search, views, routingDetails } from "../../client/agent/agent-api";
import { TopicSubscriptions } from "../../client/agent/topic-subscriptions";
import { TabLeader, type Locks } from "../../client/agent/tab-leader";
import { parseAgentFrame } from "../../client/agent/agent-wire";
import type { Fetch } from "../../client/core/api";
import { read } from "../../client/core/shapes";
import { colleague, inboxRow, wall } from "../../protocol/agent-shapes";
import { agentEvent, settle } from "../support/support";

const around = {
  agent: "Dana",
  consumer: "Mara",
  brand: "Northwind",
  skill: "orders",
  skillName: "Orders",
  language: "en-GB",
  time: "10:15",
};
const canned = (id: string, more: Partial<Canned> = {}): Canned => (
  { id, shortcut: id, title: `Title of ${id}`, text: `Text of ${id}`, ...more }
);

describe("A canned reply", () => {
  test("is filled with what is known, and names what is not", () => {
    const filled = filledReply(
      "Hi {consumer}, {agentNickname} of {brand} ({skill}, {time}): {orderNumber} {constructor}", around,
    );
    assert.equal(filled.text, "Hi Mara, Dana of Northwind (Orders, 10:15): {orderNumber} {constructor}");
    assert.deepEqual(filled.missing, ["{orderNumber}", "{constructor}"]);
    assert.deepEqual(
      filledReply("{skill}", { ...around, skillName: undefined }), { text: "{skill}", missing: ["{skill}"] },
    );
  });

  test("a value that looks like a placeholder is not filled again", () => {
    assert.equal(filledReply("{consumer}", { ...around, consumer: "{brand}" }).text, "{brand}");
  });

  test("is read well without the name of a consumer who is not known", () => {
    for (const [text, expected] of [
      ["Hello {consumer}, this is {agentNickname}.", "Hello, this is Dana."],
      ["{consumer}, this is {agentNickname}.", "This is Dana."],
      ["Thank you. {consumer}, über den Versand: 3 days", "Thank you. Über den Versand: 3 days"],
      ["Hello\n{consumer}, one moment", "Hello\nOne moment"],
      ["Thank you, {consumer}!", "Thank you!"],
      ["Yes, {consumer}, we do.", "Yes, we do."],
      ["Is {consumer} still there?", "Is still there?"],
      ["Good-bye {consumer}", "Good-bye"],
      ["Dear consumer ({consumer}): hello {consumer}", "Dear consumer: hello"],
      ["{consumer}! Hello", "Hello"],
      ["{consumer}", ""],
      ["No name here, {agentNickname}", "No name here, Dana"],
    ] as const) assert.equal(filledReply(text, { ...around, consumer: "Visitor L92X" }).text, expected);
    for (const consumer of ["Visitor Lee", "Mara", "The Visitor L92X", "Visitor L92XY"]) {
      assert.equal(filledReply("Hello {consumer}, hi", { ...around, consumer }).text, `Hello ${consumer}, hi`);
    }
  });

  test("is found by its shortcut first, then by its title, then by its text; for this skill and language only", () => {
    const all = [canned(
      "text", { text: "about a refund" },
    ), canned("title", { title: "Refund late" }),
      canned("refund"), canned("other", { skill: "billing", title: "Refund" }),
      canned("de", { language: "de", title: "Refund" }), canned("en", { language: "en", title: "A refund" })];
    assert.deepEqual(fitting(all, "Ref", around).map(({ id }) => id), ["refund", "title", "en", "text"]);
    assert.deepEqual(
      fitting(all, "", { skill: undefined, language: undefined }).map(({ id }) => id),
      ["text", "title", "refund", "de", "en"],
    );
  });

  test("begins with a slash at the beginning of a word, before the caret", () => {
    assert.deepEqual(slashed("/he", 3), { from: 0, typed: "he" });
    assert.deepEqual(slashed("well /he and", 8), { from: 5, typed: "he" });
    for (const [text, caret] of [
      ["1/2", 3], ["http://x", 8], ["/he llo", 7], ["he", 2], ["/he", 0],
    ] as const) assert.equal(slashed(text, caret), undefined, text);
  });
});

describe("A mention", () => {
  const people = [
    { id: "d", name: "Dana" }, { id: "r", name: "Dana Reyes" }, { id: "s", name: "Sam" }, { id: "n", name: "" },
  ];

  test("is begun with an @, but not in an address", () => {
    assert.deepEqual(mentioning("ask @da", 7), { from: 4, typed: "da" });
    assert.equal(mentioning("me@da", 5), undefined);
  });

  test("names the people whose full names the text contains", () => {
    assert.deepEqual(mentioned("@Dana Reyes, and @Sam!", people), ["d", "r", "s"]);
    assert.deepEqual(mentioned("@Danae @Samuel @", people), []);
    assert.deepEqual(mentioned("@Danae or @Dana", people), ["d"]);
  });
});

describe("The alert sound", () => {
  /** One lock, as browsers give it: the first to ask holds it until they release it. */
  class OneLock implements Locks {
    private readonly queue: { held: () => Promise<void>; done: () => void }[] = [];
    private taken = false;

    request(_: string, { signal }: { signal?: AbortSignal }, held: () => Promise<void>): Promise<unknown> {
      return new Promise((done, failed) => {
        const asked = { held, done: () => done(undefined) };
        signal?.addEventListener("abort", () => {
          const at = this.queue.indexOf(asked);
          if (at >= 0) this.queue.splice(at, 1);
          failed(new Error("aborted"));
        });
        this.queue.push(asked);
        void this.next();
      });
    }

    private async next(): Promise<void> {
      const asked = this.taken ? undefined : this.queue.shift();
      if (asked === undefined) return;
      this.taken = true;
      await asked.held();
      this.taken = false;
      asked.done();
      void this.next();
    }
  }

  test("is played by one tab, and by the next one when that tab is gone", async () => {
    const locks = new OneLock();
    const tabs = [1, 2, 3].map(() => new TabLeader(locks, "alert"));
    await settle();
    assert.deepEqual(tabs.map(({ leads }) => leads), [true, false, false]);
    tabs[1]?.resign();
    tabs[0]?.resign();
    await settle();
    assert.deepEqual(tabs.map(({ leads }) => leads), [false, false, true]);
  });

  test("is played by every tab where a browser has no locks: rather twice than never", () => {
    assert.equal(new TabLeader(undefined, "alert").leads, true);
  });
});

describe("What only agents are told", () => {
  test("private events are read, and what is wrong in them does no harm", () => {
    const read = (event: object): unknown => agentEvent({ n: 1, at: 2, by: 3, ...event })?.content;
    assert.deepEqual(
      read({ queued: { skill: "orders", why: "transferred", to: "dana", until: 9 } }),
      { kind: "queued", skill: "orders", why: "transferred", to: "dana", until: 9 },
    );
    assert.deepEqual(read({ offered: { to: ["a", 7], until: 5 } }), { kind: "offered", to: ["a"], until: 5 });
    assert.deepEqual(read({ declined: { agents: ["a"], said: 1 } }), { kind: "declined", agents: ["a"], said: false });
    assert.deepEqual(read({ note: { text: "psst" } }), { kind: "note", text: "psst", mentions: [] });
    assert.deepEqual(read({ attribute: { name: "order" } }), { kind: "attribute", name: "order" });
    assert.deepEqual(
      read({ joined: { role: "agent", name: "Dana", id: "d", quiet: true } }),
      { kind: "joined", role: "agent", name: "Dana", id: "d", quiet: true },
    );
    assert.deepEqual(
      read({ joined: { role: "agent", name: "Dana", id: "d" } }),
      { kind: "joined", role: "agent", name: "Dana", id: "d" },
    );
    assert.deepEqual(read({ note: "no object" }), { kind: "unknown" });
    assert.deepEqual(read({ __proto__x: {}, toString: {} }), { kind: "unknown" });
    assert.equal(agentEvent({ note: { text: "without a number" } }), undefined);
  });

  test("a row says what routing knows", () => {
    const routingOf = (routing?: object): unknown => read(inboxRow, { c: "C", routing })?.routing;
    assert.deepEqual(routingOf(
      {
        skill: "s",
        urgent: true,
        due: 5,
        offer: { to: ["a"], until: 9 },
        for: "a",
        callback: 7,
        tags: ["t"],
        csat: 4,
        mentioned: ["b"],
      }
    ), {
      skill: "s", urgent: true, due: 5, offer: {
        to: ["a"], until: 9,
      }, for: "a", callback: 7, tags: ["t"], csat: 4, mentioned: ["b"],
    });
    assert.deepEqual(routingOf({ urgent: "yes", ring: 3 }), { tags: [], mentioned: [] });
    assert.equal(routingOf(undefined), undefined);
  });

  test("people and queues; a state that we do not know takes no work", () => {
    const dana = {
      id: "d",
      name: "Dana",
      role: "agent",
      presence: { state: "dancing", since: 4 },
      skills: ["s"],
      load: 1100,
      capacity: 3,
      open: 2,
    };
    assert.equal(read(colleague, dana)?.presence.state, "offline");
    assert.deepEqual(
      read(colleague, { ...dana, presence: { state: "away", reason: "Break", since: 4 } })?.presence,
      { state: "away", reason: "Break", since: 4 },
    );
    assert.equal(read(colleague, { name: "nobody" }), undefined);
    assert.equal(read(wall, { skills: [{ skill: "s", queued: 3 }], people: [dana] })?.skills[0]?.queued, 3);
    assert.deepEqual(parseAgentFrame(JSON.stringify({ centre: 7 })), { kind: "centre", centre: 7 });
    assert.equal(parseAgentFrame(JSON.stringify({ team: true })), undefined);
  });

  test("is asked for once, however many want it, and again on a new connection", () => {
    const out: string[] = [];
    const topics = new TopicSubscriptions((frame) => out.push(frame) > 0);
    const [first, second] = [topics.subscribe("team"), topics.subscribe("team")];
    first();
    first();
    topics.reconnected();
    second();
    topics.reconnected();
    assert.deepEqual(out, ['{"team":true}', '{"team":true}', '{"team":false}']);
  });
});

const answering = (answers: Record<string, object>, asked: string[] = []): Fetch => (url, init) => {
  asked.push(`${init?.method ?? "GET"} ${url}`);
  const body = answers[url.split("?")[0] ?? ""];
  return Promise.resolve(
    new Response(JSON.stringify(body ?? { error: { code: "not_found", text: "" } }), { status: body ? 200 : 404 })
  );
};

describe("The centre", () => {
  const settings = {
    v: 4, skills: [
      { id: "s", name: "Orders", disposition: "required", survey: true }, { id: "t" }, 7,
    ], silence: { awayReasons: ["Break"] },
    canned: [{ id: "c", shortcut: "hi", title: "Hi", text: "Hi", clip: { media: "m", ms: 9 } }, { id: "no text" }],
    wrapUp: {
      dispositions: [{ id: "d", name: "Refund", skill: "s" }],
      tags: ["vip"],
      attributes: [{ id: "a", name: "A", type: "date" }, { id: "b", type: "colour" }],
    },
  };

  test("is read as far as an agent's work needs it", () => {
    const centre = parseContactCentre(settings);
    assert.deepEqual(
      centre.skills,
      [
        { id: "s", name: "Orders", disposition: "required", survey: true },
        { id: "t", name: "t", disposition: "off", survey: false },
      ],
    );
    assert.deepEqual(centre.canned.map(({ id, clip }) => [id, clip?.ms]), [["c", 9]]);
    assert.deepEqual(centre.attributes.map(({ type }) => type), ["date", "text"]);
    assert.deepEqual(
      parseContactCentre(null),
      { v: 0, skills: [], awayReasons: [], canned: [], dispositions: [], tags: [], attributes: [] },
    );
  });

  test("is fetched once for each version, and again where it could not be fetched", async () => {
    const asked: string[] = [];
    const answers: Record<string, object> = {};
    const book = new ContactCentreStore(answering(answers, asked));
    await book.refresh(0);
    assert.equal(book.store.get().centre, undefined);
    Object.assign(
      answers,
      {
        "/v1/centre": settings,
        "/v1/agents": {
          agents: [{ id: "d", name: "Dana", role: "agent" }, { id: "e", name: "Eve", role: "agent", disabled: true }],
        },
      },
    );
    await book.refresh(0);
    await book.refresh(4);
    assert.equal(book.store.get().centre?.v, 4);
    assert.deepEqual(
      book.store.get().agents,
      [{ id: "d", name: "Dana", role: "agent" }, { id: "e", name: "Eve", role: "agent", off: true }],
    );
    assert.equal(asked.length, 4);
    await book.refresh(5);
    assert.equal(asked.length, 6);
  });
});

describe("What an agent asks by HTTP", () => {
  test("a search says only what is asked for", async () => {
    assert.equal(query({ q: "a b&c", csat: 2, skill: "" }, 12), "q=a%20b%26c&csat=2&before=12&limit=50");
    const found = await search(
      answering(
        {
          "/v1/search": {
            rows: [{ c: "C", who: "Mara", match: { n: 4, at: 5, by: 1, text: "hit" } }, { c: "D" }, 7], more: true,
          },
        }
      ),
      { q: "x" },
    );
    assert.equal(found.more, true);
    assert.deepEqual(found.found.map(({ row, match }) => [row.c, match?.n]), [["C", 4], ["D", undefined]]);
  });

  test("routing details name the score of a conversation and the chances of each agent", async () => {
    const told = await routingDetails(
      answering(
        {
          "/v1/conversations/C/why": {
            score: { total: 3, parts: [{ name: "due", value: 3, text: "soon" }, 1] },
            agents: [{ id: "d", name: "Dana", able: true, text: "" }],
          },
        }
      ),
      "C",
    );
    assert.deepEqual(
      told,
      {
        total: 3,
        parts: [{ name: "due", value: 3, text: "soon" }],
        agents: [{ id: "d", name: "Dana", able: true, text: "" }],
      },
    );
    await assert.rejects(routingDetails(answering({}), "C"));
  });

  test("saved views: mine are kept without what others share", async () => {
    const asked: string[] = [];
    const all = await views(
      answering(
        {
          "/v1/views": {
            views: [
              { id: "v", name: "V", shared: true, filter: { csat: 2, nonsense: 1 } },
              { id: "w", name: "W", by: "Max", filter: 3 },
            ],
          },
        }
      )
    );
    assert.deepEqual(
      all,
      [
        { id: "v", name: "V", shared: true, filter: { csat: 2 } },
        { id: "w", name: "W", shared: false, by: "Max", filter: {} },
      ],
    );
    await saveViews(answering({ "/v1/views": {} }, asked), "csrf", all);
    assert.deepEqual(asked, ["PUT /v1/views"]);
  });
});
