import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { markedParts } from "./marks";

/** The text with its marked words in brackets. */
const marked = (text: string, search: string): string =>
  markedParts(text, search).map((part) => (part.isMarked ? `[${part.text}]` : part.text)).join("");

describe("What a search marks", () => {
  test("is each of its words, whatever their case and diacritics", () => {
    assert.equal(marked("My Tent pole, a TÉNT", "tent pole"), "My [Tent] [pole], a [TÉNT]");
    assert.equal(marked("cafe\u0301 cafe", "café"), "[cafe\u0301] [cafe]");
    assert.equal(marked("ein Zelt", "zelt, ein!"), "[ein] [Zelt]");
  });

  test("is the beginning of a word only for the last one, if it is long enough", () => {
    assert.equal(marked("poles and tents", "pole tent"), "poles and [tents]");
    assert.equal(marked("to total", "to"), "[to] total");
    assert.equal(marked("tot total", "tot"), "[tot] [total]");
  });

  test("is nothing without words, and every text stays as it is", () => {
    assert.deepEqual(markedParts("A text", ""), [{ text: "A text", isMarked: false }]);
    assert.deepEqual(markedParts("A text", "?!"), [{ text: "A text", isMarked: false }]);
    assert.deepEqual(markedParts("", "text"), []);
    for (const text of ["a b", " <b>tent</b>\n", "tent", "😀tent😀", "ten\u0301t"]) {
      assert.equal(markedParts(text, "tent").map((part) => part.text).join(""), text);
    }
  });
});
