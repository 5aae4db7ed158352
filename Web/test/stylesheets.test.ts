import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, test } from "node:test";

/*
 * The workspace fetches five stylesheets with the parts that need them, and none of them ever leaves the page again. So
 * each must be about its own part only.
 */

const workspace = join(process.env["EARSHOT_ROOT"] ?? "", "Web/workspace");
const PARTS = ["sign-in", "actions", "composer", "wall", "settings"];
/** What several parts import, as the recorder of the widget: the same rules, however often they are loaded. */
const SHARED = /^(ui\/dialog\.css|\.\.\/voice\/.*|\.\.\/tokens\/.*)$/u;

/** The files that a stylesheet imports, with all that these import. */
function imported(file: string): readonly string[] {
  const inside = [...readFileSync(file, "utf8").matchAll(/@import "([^"]+)"/gu)].map(([, path]) => path ?? "");
  return [file, ...inside.flatMap((path) => imported(join(dirname(file), path)))];
}

/** The selectors of a stylesheet, each by itself. */
function selectors(css: string): readonly string[] {
  const rules = css.replace(/\/\*.*?\*\//gsu, "").replace(/@import[^;]+;/gu, "").matchAll(/([^{}]+)\{/gu);
  return [...rules].map(([, text]) => (text ?? "").trim())
    .filter((text) => !/^(@|from$|to$|\d+%)/u.test(text))
    .flatMap((text) => text.split(/,(?![^(]*\))/u).map((one) => one.trim()));
}

/** The classes of a selector's first compound, without conditions about others: what the selector is about. */
function leading(selector: string): readonly string[] {
  const [first = ""] = /^\S*/u.exec(selector.split(/:(?:not|has)\(/u)[0] ?? "") ?? [];
  return [...first.matchAll(/\.([\w-]+)/gu)].map(([, name]) => name ?? "");
}

const styles = (files: readonly string[]): readonly string[] =>
  files.filter((file) => !SHARED.test(relative(workspace, file)))
    .flatMap((file) => selectors(readFileSync(file, "utf8")));

const sheets = new Map(PARTS.map((part) => [part, styles(imported(join(workspace, part, "index.css")))]));
const atLoad = styles(imported(join(workspace, "workspace.css")));

/** The selectors of a sheet that may touch elements of another part. */
function reaching(own: readonly string[], others: readonly (readonly string[])[]): readonly string[] {
  const foreign = new Set(others.flat().flatMap(leading));
  return own.filter((selector) => !leading(selector).some((name) => !foreign.has(name)));
}

describe("A stylesheet that is fetched later", () => {
  for (const [part, own] of sheets) {
    test(`of ${part} begins each selector with a class of its own`, () => {
      const others = [...sheets].filter(([name]) => name !== part).map(([, sheet]) => sheet);
      assert.deepEqual(reaching(own, [atLoad, ...others]), []);
    });
  }

  for (const part of ["settings", "wall"]) {
    test(`of ${part} uses no class that a component elsewhere has`, () => {
      const own = new Set(sheets.get(part)?.flatMap(leading));
      const outside = readdirSync(workspace, { recursive: true }).map(String)
        .filter((name) => name.endsWith(".tsx") && !name.startsWith(`${part}/`));
      const used = outside.flatMap((name) =>
        [...readFileSync(join(workspace, name), "utf8").matchAll(/className="([^"]+)"/gu)]
          .flatMap(([, names]) => (names ?? "").split(" ")).filter((one) => own.has(one))
          .map((one) => `${name}: ${one}`)
      );
      assert.deepEqual(used.filter((one) => !isStyledAtLoad(one.split(": ")[1] ?? "")), []);
    });
  }

  test("is known by a selector that would reach further", () => {
    assert.deepEqual(reaching([".person", "h3", ".admin .person", ".mine:hover, h4"], [[".person .facts"]]), [
      ".person",
      "h3",
    ]);
  });
});

/** Whether the page itself styles a class: then a part may set it again within itself, as `.admin .input` does. */
const isStyledAtLoad = (name: string): boolean => atLoad.flatMap(leading).includes(name);
