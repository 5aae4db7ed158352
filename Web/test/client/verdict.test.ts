import assert from "node:assert/strict";
import { test } from "node:test";
import { best, impossible, remark } from "../../call/verdict";
import type { WireCallReadiness } from "../../protocol/frames";

const able: WireCallReadiness = { camera: true, host: true, reflexive: false, relay: false };

test("a call can work between two devices that have a microphone and an address", () => {
  assert.equal(impossible(able, able), undefined);
  assert.equal(impossible(able, { ...able, camera: false, host: false, relay: true }), undefined);
});

test("what stands in the way is said of the side that has it, this one first", () => {
  for (const problem of ["insecure", "unsupported", "denied", "noDevice"] as const) {
    assert.equal(impossible({ ...able, problem }, able), problem);
    assert.equal(impossible(able, { ...able, problem }), `their-${problem}`);
    assert.equal(impossible({ ...able, problem }, { ...able, problem: "denied" }), problem);
  }
  for (const [own, theirs] of [[able, { ...able, host: false }], [{ ...able, host: false }, able]] as const) {
    assert.equal(impossible(own, theirs), "noWay");
  }
});

test("a slow network and a missing camera are remarks about a video call", () => {
  assert.equal(remark(able, { ...able, camera: false }, "video"), "noCamera");
  assert.equal(remark(able, { ...able, camera: false, down: 10 }, "voice"), undefined);
  assert.equal(remark(able, { ...able, down: 2000 }, "video"), undefined);
  assert.equal(remark(able, { ...able, down: 1999 }, "video"), "slow");
  assert.equal(remark({ ...able, down: 1999 }, able, "video"), "slow");
});

test("of several open pages the one that can do most counts", () => {
  const blocked: WireCallReadiness = { ...able, problem: "denied" };
  const blind: WireCallReadiness = { ...able, camera: false };
  assert.equal(best([blocked, blind, able, blocked]), able);
  assert.equal(best([blocked, blind]), blind);
  assert.equal(best([blocked]), blocked);
  assert.equal(best([]), undefined);
});
