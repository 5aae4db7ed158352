import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { brandColors, contrast, parseColor } from "../tokens/brand";
import type { RGB } from "../tokens/brand";

const css = readFileSync(join(process.env["EARSHOT_ROOT"] ?? ".", "Web/tokens/tokens.css"), "utf8");

/** The custom properties of the first block after `selector`. */
function block(selector: string): Map<string, string> {
  const from = css.indexOf(selector);
  assert(from >= 0, `${selector} is missing`);
  const body = css.slice(css.indexOf("{", from) + 1, css.indexOf("}", from));
  return new Map(
    [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((match) => [match[1] ?? "", (match[2] ?? "").trim()])
  );
}

const root = block(":root {");
const light = new Map([...root].map(([name, value]) => [name, inTheme(value, 0)]));
const dark = new Map([...root].map(([name, value]) => [name, inTheme(value, 1)]));

/** A value with each `light-dark(a, b)` replaced by one of its two colours. */
function inTheme(value: string, which: 0 | 1): string {
  return value.replace(
    /light-dark\(((?:[^(),]|\([^()]*\))*),((?:[^(),]|\([^()]*\))*)\)/gu,
    (_, first: string, second: string) => [first, second][which]?.trim() ?? "",
  );
}

function color(theme: Map<string, string>, name: string): RGB {
  const value = theme.get(name) ?? "";
  const hex = /#[0-9a-f]{6}/i.exec(value)?.[0] ?? "";
  const parsed = parseColor(hex);
  assert(parsed, `--${name} is no colour: ${value}`);
  return parsed;
}

const TEXT = ["ink", "ink-soft", "ink-faint", "danger", "warn", "good", "record", "brand-ink"];
const GROUNDS = ["page", "surface", "surface-raised", "surface-sunken", "bubble"];
const PAIRS: [string, string][] = [
  ["danger", "danger-soft"],
  ["warn", "warn-soft"],
  ["good", "good-soft"],
  ["record", "record-soft"],
  ["ink", "surface-hover"],
  ["ink-soft", "surface-hover"],
  ["ink", "record-soft"],
];
const GRAPHICS: [string, string][] = [
  ["line-strong", "surface"], ["wave-rest", "surface"], ["wave-rest", "bubble"], ["focus", "surface"],
];

for (const [name, theme] of [["light", light], ["dark", dark]] as const) {
  describe(`The ${name} theme`, () => {
    test("has text that can be read (4.5:1)", () => {
      for (const pair of [
        ...TEXT.flatMap((ink) => GROUNDS.map((ground) => [ink, ground] as [string, string])), ...PAIRS
      ]) check(theme, pair, 4.5);
    });
    test("has lines and waveforms that can be seen (3:1)", () => {
      for (const pair of GRAPHICS) check(theme, pair, 3);
    });
  });
}

function check(theme: Map<string, string>, [ink, ground]: [string, string], least: number): void {
  const ratio = contrast(color(theme, ink), color(theme, ground));
  assert(ratio >= least, `--${ink} on --${ground} has ${ratio.toFixed(2)}:1`);
}

describe("The theme", () => {
  test("follows the system, unless the page chooses one", () => {
    assert(/:root \{\s*color-scheme: light dark;/u.test(css));
    for (const theme of ["light", "dark"]) {
      assert(new RegExp(`:root\\[data-theme="${theme}"\\] \\{\\s*color-scheme: ${theme};`, "u").test(css), theme);
    }
  });
  test("has two colours wherever it has any", () => {
    const plain = /^(brand|on-brand)$/u;
    for (const [name, value] of root) {
      if (/#[0-9a-f]{6}/iu.test(value) && !plain.test(name)) assert(/light-dark\(/u.test(value), name);
    }
  });
});

describe("A brand's colour", () => {
  test("becomes roles that can be read, whatever it is", () => {
    for (const text of [
      "#000000", "#ffffff", "#ffdd00", "#ff0000", "#00ff88", "#1f6f5c", "#7f7f7f", "#abc", "#0000ff", "#e91e63",
    ]) {
      const colors = brandColors(text);
      assert(colors, text);
      const [brand, onBrand, inkLight, inkDark] = [
        colors.brand, colors.onBrand, colors.inkLight, colors.inkDark,
      ].map((c) => parseColor(c) as RGB) as [RGB, RGB, RGB, RGB];
      assert(contrast(brand, onBrand) >= 4.5, `${text}: on-brand ${contrast(brand, onBrand).toFixed(2)}`);
      for (const ground of GROUNDS) {
        assert(contrast(inkLight, color(light, ground)) >= 4.5, `${text}: light ink on --${ground}`);
        assert(contrast(inkDark, color(dark, ground)) >= 4.5, `${text}: dark ink on --${ground}`);
      }
    }
  });

  test("is on the launcher as the server writes it", () => {
    const file = join(process.env["EARSHOT_ROOT"] ?? ".", "Tests/Fixtures/brand-colors.json");
    for (const row of JSON.parse(readFileSync(file, "utf8")) as { color: string; ground: string; ink: string }[]) {
      const colors = brandColors(row.color);
      assert.deepEqual([colors?.brand, colors?.onBrand], [row.ground, row.ink], row.color);
    }
  });

  test("that is no colour changes nothing", () => {
    for (const text of ["", "red", "#12", "#12345g", "url(x)", "#1234567"]) assert.equal(brandColors(text), undefined);
  });
});
