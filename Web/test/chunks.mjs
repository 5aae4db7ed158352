// What a bundle that was split loads at once and what later, from esbuild's metafile:
// `node chunks.mjs meta.json entry.js first|later`.
import { readFileSync } from "node:fs";
import { basename } from "node:path";

const [metafile, entry, which] = process.argv.slice(2);
const { outputs } = JSON.parse(readFileSync(metafile, "utf8"));
const scripts = Object.keys(outputs).filter((name) => name.endsWith(".js"));
const begin = scripts.find((name) => basename(name) === entry);
if (begin === undefined) throw new Error(`${entry} is no output of ${metafile}`);

const first = new Set();
const follow = (name) => {
  if (first.has(name)) return;
  first.add(name);
  for (const { path, kind } of outputs[name]?.imports ?? []) if (kind === "import-statement") follow(path);
};
follow(begin);

const names = which === "first" ? [...first] : scripts.filter((name) => !first.has(name));
process.stdout.write(names.map((name) => `${basename(name)}\n`).join(""));
