import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  beginSetUp, confirmSetUp, secondFactor, turnOff, typedCode,
} from "../../client/agent/second-factor/second-factor";

function server(status: number, json: unknown): {
  fetch: (url: string, init?: RequestInit) => Promise<Response>;
  asked: { url: string; init: RequestInit | undefined }[];
} {
  const asked: { url: string; init: RequestInit | undefined }[] = [];
  const fetch = (url: string, init?: RequestInit): Promise<Response> => {
    asked.push({ url, init });
    return Promise.resolve({ ok: status < 300, status, statusText: "", json: () => Promise.resolve(json) } as Response);
  };
  return { fetch, asked };
}

describe("The second factor", () => {
  test("is set up with what the server made, with or without a QR code", async () => {
    const begun = { secret: "ABCD", link: "otpauth://totp/x", setUp: "token" };
    assert.deepEqual(await beginSetUp(server(200, begun).fetch, "X"), { ok: true, value: begun });
    const withQR = { ...begun, qr: { size: 21, path: "M0 0h1v1h-1z" } };
    assert.deepEqual(await beginSetUp(server(200, withQR).fetch, "X"), { ok: true, value: withQR });
    const broken = await beginSetUp(server(200, { secret: "ABCD" }).fetch, "X");
    assert(!broken.ok && broken.refusal.code === "unavailable");
  });

  test("sends a code without the spaces that apps show", async () => {
    const { fetch, asked } = server(200, { recoveryCodes: ["a", "b"] });
    assert.deepEqual(await confirmSetUp(fetch, "X", "token", " 123 456 "), { ok: true, value: ["a", "b"] });
    assert.equal(asked[0]?.init?.body, '{"setUp":"token","code":"123456"}');
    assert.equal((asked[0]?.init?.headers as Record<string, string>)["x-earshot-csrf"], "X");
    assert.equal(typedCode("abcd-efgh\u00a0ijkl"), "abcd-efghijkl");
  });

  test("is read, and turned off with password and code", async () => {
    const own = await secondFactor(server(200, { on: true, required: false, since: 5, recoveryCodes: 7 }).fetch);
    assert.deepEqual(own, { ok: true, value: { on: true, required: false, recoveryCodes: 7 } });
    const { fetch, asked } = server(204, undefined);
    assert.deepEqual(await turnOff(fetch, "X", "secret", "123 456"), { ok: true, value: true });
    assert.equal(asked[0]?.url, "/v1/second-factor/removal");
    assert.equal(asked[0]?.init?.body, '{"password":"secret","code":"123456"}');
    const wrong = await turnOff(server(401, { error: { code: "second_factor_wrong" } }).fetch, "X", "s", "1");
    assert.deepEqual(wrong, { ok: false, refusal: { code: "second_factor_wrong" } });
  });
});
