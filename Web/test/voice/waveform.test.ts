import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { levelOf } from "../../voice/record/level-meter";
import { clockText, lengthText } from "../../voice/ui/time";
import { barsPath, gainFor, resample } from "../../voice/ui/waveform";

describe("The waveform", () => {
  test("keeps peaks when there is less room, and draws between them when there is more", () => {
    assert.deepEqual(resample([0, 80, 0, 20], 2), [80, 20]);
    assert.deepEqual(resample([0, 100], 5).map(Math.round), [0, 10, 50, 90, 100]);
    assert.deepEqual(resample([], 3), [0, 0, 0]);
    assert.equal(resample(Array.from({ length: 10_000 }, (_, i) => i % 101), 40).length, 40);
  });

  test("draws something for nonsense", () => {
    assert.equal(barsPath([NaN, Infinity, -5, 300], 32).includes("NaN"), false);
    assert.equal(gainFor([]), 100 / 36);
  });
});

describe("The meter", () => {
  test("tells silence, a voice, and what was cut off at the top", () => {
    const wave = (peak: number): Float32Array => Float32Array.from(
      { length: 1024 }, (_, i) => Math.max(-1, Math.min(1, peak * Math.sin(i / 5))),
    );
    assert.deepEqual(levelOf(new Float32Array(1024)), { loud: 0, clips: false });
    assert.equal(levelOf(wave(0.1)).loud > 50, true);
    assert.deepEqual([0.5, 0.98, 1.5].map((peak) => levelOf(wave(peak)).clips), [false, false, true]);
  });
});

describe("A length", () => {
  test("is written as minutes and seconds, and is never nothing", () => {
    assert.deepEqual(
      [0, 999, 7_000, 61_000, 723_000, Infinity, NaN].map(clockText),
      ["0:00", "0:00", "0:07", "1:01", "12:03", "0:00", "0:00"],
    );
    assert.deepEqual([0, 400, 1_600, 59_700].map(lengthText), ["0:01", "0:01", "0:02", "1:00"]);
  });
});
