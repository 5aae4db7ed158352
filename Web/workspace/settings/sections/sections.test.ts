import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Permission, PERMISSIONS } from "../../../protocol/permissions";
import { settingsTexts } from "../../i18n/settings-texts";
import { SECTION_NEEDS, sectionsFor } from "./sections";

const seen = (...permissions: Permission[]): readonly string[] => sectionsFor({ agent: { id: "a", permissions } });

describe("The sections of the settings", () => {
  test("are seen by who has their permission, and by no one else", () => {
    assert.deepEqual(seen("conversations.answer", "history.search"), []);
    assert.deepEqual(seen("audit.read"), ["audit"]);
    assert.deepEqual(seen("brand.change"), ["brand"]);
    assert.deepEqual(seen("retention.change"), ["privacy"]);
    assert.deepEqual(seen("seats.change"), ["people"]);
    assert.deepEqual(seen("people.change"), ["people", "profiles"]);
    assert.deepEqual(seen("keys.manage"), ["keys"]);
    assert.deepEqual(seen("identityProvider.change"), ["signIn"]);
    assert.equal(seen("settings.change").includes("people"), false);
    assert.equal(seen("settings.change")[0], "skills");
  });

  test("are all in the navigation, in the order of the table, and an administrator sees all", () => {
    const shown = settingsTexts.groups.flatMap(({ sections }) => sections);
    assert.deepEqual(shown, Object.keys(SECTION_NEEDS));
    assert.deepEqual(seen(...PERMISSIONS.map(({ id }) => id)), shown);
    for (const name of shown) assert(settingsTexts.sections[name], name);
  });
});
