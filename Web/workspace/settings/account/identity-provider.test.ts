import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { claimLines, keyWarning, parseClaims, parseProvider, parseRefusals, parseReport } from "./identity-provider";

describe("The identity provider", () => {
  test("is read from the server's answer, and unknown entries are skipped", () => {
    assert.equal(parseProvider({ provider: null }), undefined);
    const provider = parseProvider({
      provider: {
        issuer: "https://id.example", audience: "earshot", keys: "{}", claims: [{ claim: "tier", label: "Tier" }, 7],
        usable: [{ id: "k1", algorithm: "ES256", used: 5 }, { algorithm: "EdDSA" }],
        ignored: [{ position: 2, reason: "key_weak" }], verifiesContacts: true,
      },
    });
    assert.equal(provider?.verifiesContacts, true);
    assert.equal(parseProvider({ provider: { verifiesContacts: "yes" } })?.verifiesContacts, false);
    assert.deepEqual(provider?.claims, [{ claim: "tier", label: "Tier" }]);
    assert.deepEqual(provider?.usable, [
      { id: "k1", algorithm: "ES256", used: 5 },
      { id: "", algorithm: "EdDSA", used: undefined },
    ]);
    assert.deepEqual(provider?.ignored, [{ position: 2, reason: "key_weak" }]);
  });

  test("warns of keys that the provider has probably replaced", () => {
    const day = 86_400_000;
    const unknown = [{ reason: "id_token_key_unknown", count: 1, last: 1 }];
    assert.equal(keyWarning({ keysSince: day }, [], 91 * day), undefined);
    assert.equal(keyWarning({ keysSince: day }, [], 91 * day + 1), "old");
    assert.equal(keyWarning({}, [], 1000 * day), undefined);
    assert.equal(keyWarning({ keysSince: day }, [{ ...unknown[0]!, reason: "id_token_expired" }], day), undefined);
    assert.equal(keyWarning({ keysSince: day }, unknown, day), "replaced");
    assert.deepEqual(parseRefusals({ refusals: [...unknown, { count: 2 }, 7] }), unknown);
  });

  test("reports on a pasted token, with what agents would see", () => {
    const labels = { name: "Name", email: "E-mail", phone: "Phone" };
    const good = parseReport({
      accepted: true, encrypted: false, algorithm: "ES256", keyKnown: true, issuer: "i", audiences: ["a", 7],
      subject: "s", issued: 1, expires: 2,
      claims: { name: "Ada", phone: "1", others: [{ label: "Tier", value: "3" }] },
    }, labels);
    assert.equal(good.reason, undefined);
    assert.deepEqual(good.audiences, ["a"]);
    assert.deepEqual(good.claims, [["Name", "Ada"], ["Phone", "1"], ["Tier", "3"]]);
    const bad = parseReport({ accepted: false, reason: "id_token_expired" }, labels);
    assert.equal(bad.reason, "id_token_expired");
    assert.deepEqual(bad.claims, []);
  });

  test("has its claims as lines, also claims that are addresses", () => {
    const claims = [{ claim: "https://shop.example/tier", label: "Loyalty: tier" }, { claim: "n", label: "n" }];
    assert.deepEqual(parseClaims(claimLines(claims)), claims);
    assert.deepEqual(parseClaims("\n tier \n"), [{ claim: "tier", label: "tier" }]);
  });
});
