import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { actionFor, CHORDS, type KeyPress, KEYS, listFor } from "./keymap";

const pressed = (more: Partial<KeyPress>): KeyPress => ({
  key: "",
  code: "",
  altKey: false,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  ...more,
});
const chord = (code: string, more: Partial<KeyPress> = {}): KeyPress =>
  pressed({ code, altKey: true, shiftKey: true, ...more });

describe("The keys", () => {
  test("the twelve of every contact centre, also while one writes and whatever the layout makes of Alt", () => {
    const twelve = {
      M: "next",
      U: "deselect",
      Y: "copy",
      Q: "queue",
      R: "transfer",
      W: "close",
      N: "accept",
      O: "takeOver",
      I: "leave",
      L: "logout",
      S: "status",
      P: "note",
    };
    assert.equal(Object.keys(CHORDS).length, 12);
    for (const [letter, act] of Object.entries(twelve)) {
      assert.equal(actionFor(chord(`Key${letter}`, { key: "ˆ" }), false), act);
      assert.equal(actionFor(chord(`Key${letter}`, { shiftKey: false }), true), undefined);
      assert.equal(actionFor(chord(`Key${letter}`, { ctrlKey: true }), true), undefined);
    }
  });

  test("record, play, next unplayed, speed, note and canned have keys of their own", () => {
    const keys = { v: "record", " ": "play", n: "unplayed", ",": "slower", ".": "faster", m: "note", "/": "canned" };
    for (const [key, act] of Object.entries(keys)) assert.equal(actionFor(pressed({ key }), true), act);
  });

  test("single keys mean nothing while one writes, or for who switched them off; Esc always does", () => {
    for (const key of Object.keys(KEYS)) assert.equal(actionFor(pressed({ key }), false), undefined);
    assert.equal(actionFor(pressed({ key: "Escape" }), false), "escape");
    assert.equal(actionFor(pressed({ key: "j", metaKey: true }), true), undefined);
  });

  test("names of every object mean nothing", () => {
    assert.equal(actionFor(pressed({ key: "constructor" }), true), undefined);
    assert.equal(listFor("toString"), undefined);
    assert.deepEqual([listFor("q"), listFor("s")], ["queue", "search"]);
  });
});
