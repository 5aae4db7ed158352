import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { claimLines, parseClaims, parseProvider } from "./identity-provider";

describe("The identity provider", () => {
  test("is read from the server's answer, and unknown entries are skipped", () => {
    assert.equal(parseProvider({ provider: null }), undefined);
    const provider = parseProvider({
      provider: {
        issuer: "https://id.example", audience: "earshot", keys: "{}", claims: [{ claim: "tier", label: "Tier" }, 7],
        usable: [{ id: "k1", algorithm: "ES256" }, { algorithm: "EdDSA" }],
        ignored: [{ position: 2, reason: "key_weak" }], verifiesContacts: true,
      },
    });
    assert.equal(provider?.verifiesContacts, true);
    assert.equal(parseProvider({ provider: { verifiesContacts: "yes" } })?.verifiesContacts, false);
    assert.deepEqual(provider?.claims, [{ claim: "tier", label: "Tier" }]);
    assert.deepEqual(provider?.usable, [{ id: "k1", algorithm: "ES256" }, { id: "", algorithm: "EdDSA" }]);
    assert.deepEqual(provider?.ignored, [{ position: 2, reason: "key_weak" }]);
  });

  test("has its claims as lines, also claims that are addresses", () => {
    const claims = [{ claim: "https://shop.example/tier", label: "Loyalty: tier" }, { claim: "n", label: "n" }];
    assert.deepEqual(parseClaims(claimLines(claims)), claims);
    assert.deepEqual(parseClaims("\n tier \n"), [{ claim: "tier", label: "tier" }]);
  });
});
