import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ContainerSplitter } from "../../voice/play/container-splitter";

const bytes = (...parts: (string | number[])[]): number[] => parts.flatMap(
  (part) => (typeof part === "string" ? [...part].map((letter) => letter.charCodeAt(0)) : part)
);
const zeros = (count: number): number[] => new Array<number>(count).fill(0);

/** A live WebM: head, segment and cluster without sizes, blocks of 100 and 300 bytes. */
const block = (length: number): number[] => [0xa3, 0x40 | (length >> 8), length & 255, ...zeros(length)];
const webm = [
  [0x1a, 0x45, 0xdf, 0xa3, 0x84, 1, 2, 3, 4], [
    0x18, 0x53, 0x80, 0x67, 1, 255, 255, 255, 255, 255, 255, 255,
  ], [0x1f, 0x43, 0xb6, 0x75, 1, 255, 255, 255, 255, 255, 255, 255],
  [0xe7, 0x81, 0], block(100), block(300), [0x1f, 0x43, 0xb6, 0x75, 1, 255, 255, 255, 255, 255, 255, 255], block(5),
];
const page = (...lengths: number[]): number[] => [
  ...bytes("OggS"), ...zeros(22), lengths.length, ...lengths, ...zeros(lengths.reduce((sum, one) => sum + one, 0))
];
const ogg = [page(19), page(255, 30), page(4, 4, 4)];
const box = (type: string, length: number): number[] => [
  0, 0, (length + 8) >> 8, (length + 8) & 255, ...bytes(type), ...zeros(length)
];
const mp4 = [
  box("ftyp", 12),
  box("moov", 400),
  [...box("moof", 80), ...box("mdat", 500)],
  [...box("moof", 80), ...box("mdat", 20)],
];

describe("A recording that is cut again", () => {
  for (const [name, elements] of Object.entries({ webm, ogg, mp4 })) {
    test(`ends where an element ends, wherever the recorder cut it (${name})`, () => {
      const whole = elements.flat();
      const ends = elements.map((_, i) => elements.slice(0, i + 1).flat().length);
      for (let first = 8; first < whole.length; first++) {
        const cutter = new ContainerSplitter();
        const got = [...cutter.take(Uint8Array.from(whole.slice(0, first)))];
        assert.equal(got.length, Math.max(0, ...ends.filter((end) => end <= first)), `cut at ${first}`);
        got.push(...cutter.take(Uint8Array.from(whole.slice(first))), ...cutter.last());
        assert.deepEqual(got, whole);
      }
    });
  }

  test("is passed on as it is where it is nothing we know", () => {
    const cutter = new ContainerSplitter();
    assert.equal(cutter.take(Uint8Array.from(bytes("anything at all"))).length, 15);
    assert.equal(cutter.take(Uint8Array.from([1, 2, 3])).length, 3);
  });

  test("is not waited for without end", () => {
    const cutter = new ContainerSplitter();
    cutter.take(Uint8Array.from(webm[0] ?? []));
    const endless = new Uint8Array(5 * 1024 * 1024);
    endless.set([0xa3, 0x08, 255, 255, 255, 255]);
    assert.equal(cutter.take(endless).length, endless.length);
  });
});
