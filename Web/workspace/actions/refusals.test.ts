import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { settingsTexts } from "../i18n/settings-texts";
import { refusalText } from "./refusals";
import { texts } from "../i18n/texts";

const protocol = readFileSync(join(process.env["EARSHOT_ROOT"] ?? ".", "docs/protocol.md"), "utf8");
const table = protocol.slice(protocol.indexOf("## 5. Codes"), protocol.indexOf("## 6."));
const codes = table.split("\n").filter((line) => line.startsWith("| `")).flatMap((line) =>
  [...(line.split("|")[1] ?? "").matchAll(/`(\w+)`/gu)].map(([, code]) => code ?? "")
);

/** What an agent's page never meets, or where nothing else can be said than that it did not work. */
const ELSEWHERE = [
  "bad_request",
  "unknown_field",
  "unknown_frame",
  "bad_key",
  "key_reused",
  "method_not_allowed",
  "timeout",
  "headers_too_large",
  "too_large",
  "origin_refused",
  "too_many_watches",
  // Said by the sign-in, by the recorder, by the settings, by the player, by the search, or to consumers.
  "blocked",
  "sign_in_not_set_up",
  "id_token_refused",
  "provider_keys_refused",
  "login_failed",
  "second_factor_required",
  "second_factor_wrong",
  "not_yet_valid",
  "upload_gap",
  "upload_finished",
  "upload_mismatch",
  "digest_mismatch",
  "search_too_slow",
  "setting_out_of_range",
  "last_administrator",
  "address_taken",
  "link_invalid",
  "original_refused",
  "survey_closed",
  "call_answered",
  "call_elsewhere",
  "call_requested",
  // Said with a name: problem.tsx.
  "already_taken",
  "not_assigned",
];

describe("A refusal", () => {
  test("has words of its own for every code that an agent can meet", () => {
    assert(codes.length > 40, `the protocol names ${codes.length} codes`);
    const wordless = codes.filter((code) => refusalText(code, 0) === texts.problem.other);
    assert.deepEqual(wordless.sort(), [...ELSEWHERE].sort());
  });

  test("names the limit where there is one, and is never empty", () => {
    assert(/4096/u.test(refusalText("text_too_long", 4096)));
    assert(/20/u.test(refusalText("out_of_range", 20)));
    assert(!/\d/u.test(refusalText("out_of_range", 0)));
    assert.equal(refusalText("something new", 0), texts.problem.other);
  });

  test("of a section of the settings says that the changes are kept, wherever saving again may help", () => {
    for (
      const code of ["csrf", "not_signed_in", "network", "rate_limited", "unavailable", "storage_full", "suspended"]
    ) {
      assert(/changes are kept/u.test(settingsTexts.save.refused[code] ?? ""), code);
    }
  });
});
