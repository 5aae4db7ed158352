import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { currentSession, mustSetUp, signIn, ticket } from "../../client/agent/sign-in";
import { brandChoice, enterByLink, isAccountName, knownAccount } from "../../client/agent/sign-in-page/sign-in-page";

const body = {
  agent: {
    id: "a", name: "Dana", role: "agent", permissions: ["answer"],
  }, account: { id: "demo", name: "Demo" }, csrf: "X",
  limits: { text: 2000, audioMs: 120000, audioBytes: 16777216 },
};

interface Asked {
  url: string;
  init: RequestInit | undefined;
}

/** A server with one answer, which remembers what it was asked. */
function server(
  status: number, json: unknown,
): { fetch: (url: string, init?: RequestInit) => Promise<Response>; asked: Asked[] } {
  const asked: Asked[] = [];
  const fetch = (url: string, init?: RequestInit): Promise<Response> => {
    asked.push({ url, init });
    const response = {
      ok: status < 300,
      status,
      statusText: "",
      json: () => (json === undefined ? Promise.reject(new Error("no JSON")) : Promise.resolve(json)),
    };
    return Promise.resolve(response as Response);
  };
  return { fetch, asked };
}

describe("Signing in", () => {
  test("gives the session", async () => {
    const { fetch, asked } = server(200, body);
    const answer = await signIn(fetch, { account: "demo", email: "dana@demo.example", password: "secret" });
    assert(answer.ok);
    assert.equal(answer.value.agent.name, "Dana");
    assert.equal(asked[0]?.init?.body, '{"account":"demo","email":"dana@demo.example","password":"secret"}');
  });

  test("is refused with the server's code, and with the wait where there is one", async () => {
    const credentials = { account: "demo", email: "d", password: "x" };
    const wrong = await signIn(server(401, { error: { code: "login_failed", text: "" } }).fetch, credentials);
    assert.deepEqual(wrong, { ok: false, refusal: { code: "login_failed" } });
    const often = await signIn(
      server(429, { error: { code: "rate_limited", text: "", retryAfter: 12 } }).fetch, credentials,
    );
    assert.deepEqual(often, { ok: false, refusal: { code: "rate_limited", retryAfter: 12 } });
  });

  test("with a second factor sends the code too, and returns its state", async () => {
    const { fetch, asked } = server(200, { ...body, secondFactor: { on: true, required: true, recoveryCodesLeft: 3 } });
    const answer = await signIn(fetch, { account: "demo", email: "d", password: "x", code: "123456" });
    assert(answer.ok);
    assert.equal(asked[0]?.init?.body, '{"account":"demo","email":"d","password":"x","code":"123456"}');
    assert.deepEqual(answer.value.secondFactor, { on: true, required: true, recoveryCodesLeft: 3 });
    assert(!mustSetUp(answer.value));
    const without = await signIn(server(200, { ...body, secondFactor: { on: false, required: true } }).fetch, {
      account: "demo", email: "d", password: "x",
    });
    assert(without.ok && mustSetUp(without.value));
    const older = await signIn(server(200, body).fetch, { account: "demo", email: "d", password: "x" });
    assert(older.ok && !mustSetUp(older.value));
  });

  test("an answer that is not ours is no session", async () => {
    assert.deepEqual(
      await currentSession(server(401, undefined).fetch), { ok: false, refusal: { code: "not_signed_in" } },
    );
    assert.deepEqual(
      await currentSession(server(502, undefined).fetch), { ok: false, refusal: { code: "unavailable" } },
    );
    assert.deepEqual(
      await currentSession(server(200, { agent: {} }).fetch), { ok: false, refusal: { code: "unavailable" } },
    );
    assert.deepEqual(
      await currentSession(() => Promise.reject(new Error("no network"))), { ok: false, refusal: { code: "network" } },
    );
  });

  test("a ticket is asked for with the CSRF value", async () => {
    const { fetch, asked } = server(200, { ticket: "T" });
    assert.deepEqual(await ticket(fetch, "X"), { ok: true, value: "T" });
    assert.equal((asked[0]?.init?.headers as Record<string, string>)["x-earshot-csrf"], "X");
  });
});

describe("The sign-in page", () => {
  test("learns whether the server has no brand, one, or several", async () => {
    const asked = async (json: unknown): Promise<unknown> => await brandChoice(server(200, json).fetch);
    const one = { brands: "one", account: "demo", name: "Demo shop" };
    assert.deepEqual(await asked(one), { ok: true, value: one });
    assert.deepEqual(await asked({ brands: "several" }), { ok: true, value: { brands: "several" } });
    assert.deepEqual(await asked({ brands: "none" }), { ok: true, value: { brands: "none" } });
    for (const strange of [{}, { brands: "one" }, { brands: "many" }]) {
      assert.deepEqual(await asked(strange), { ok: false, refusal: { code: "unavailable" } });
    }
  });

  test("asks for no account where there is one brand, or where the address or the device says it", () => {
    const several = { brands: "several" } as const;
    assert.equal(knownAccount({ brands: "one", account: "demo", name: "D" }, "?account=other", "last"), "demo");
    assert.equal(knownAccount(several, "?account=other", "last"), "other");
    assert.equal(knownAccount(several, "", "last"), "last");
    assert.equal(knownAccount(several, "?account=Not%20one", "last"), "last");
    assert.equal(knownAccount(several, "?account=", ""), undefined);
    assert.equal(knownAccount(several, "", "Fernweh Outfitters"), undefined);
  });

  test("knows an account name by its form", () => {
    for (const name of ["demo", "a", "shop-2", "x".repeat(64)]) assert(isAccountName(name), name);
    for (const name of ["", "Demo", "Fernweh Outfitters", "demo ", "x".repeat(65), "démo", "demo_1"]) {
      assert(!isAccountName(name), name);
    }
  });

  test("signs in with a one-click link, or says why not", async () => {
    const { fetch, asked } = server(200, body);
    const answer = await enterByLink(fetch, "TOKEN");
    assert(answer.ok && answer.value.account.id === "demo");
    assert.equal(asked[0]?.url, "/v1/login/link");
    assert.equal(asked[0]?.init?.body, '{"token":"TOKEN"}');
    const used = await enterByLink(server(404, { error: { code: "link_invalid", text: "" } }).fetch, "TOKEN");
    assert.deepEqual(used, { ok: false, refusal: { code: "link_invalid" } });
  });
});
