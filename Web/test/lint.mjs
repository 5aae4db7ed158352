// The house rules of the web parts that a type checker does not know. Prints each breach and fails.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const web = fileURLToPath(new URL("..", import.meta.url));
const skip = new Set(["dist", "node_modules", "test"]);

/** Longest file, in lines. Most are far shorter. */
const MOST_LINES = 280;
/** Catalogues of texts, and what is generated from the wire schema, are data: as long as there is some. */
const DATA = /^(workspace\/i18n\/en|protocol)\//;

/**
 * [what, pattern, files it holds for, files that may]. Strings and comments count too: a rule that can be discussed
 * away is none.
 */
const rules = [
  [
    "markup from strings (Trusted Types)",
    /\b(innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|DOMParser|createContextualFragment)\b/,
    /\.tsx?$/,
  ],
  ["code from strings", /\beval\(|new Function\(|setTimeout\(["'`]/, /\.tsx?$/],
  ["React's way around text", /dangerouslySetInnerHTML/, /\.tsx?$/],
  ["the type any", /(:\s*|as |<)any\b/, /\.tsx?$/, /^protocol\/permissions\.ts$/],
  ["a switched-off check", /@ts-ignore|@ts-nocheck|@ts-expect-error|eslint-disable/, /\.tsx?$/],
  ["a left-over", /console\.(log|debug)|\bdebugger\b|\bTODO\b|\bFIXME\b/, /\.tsx?$/],
  [
    "a DOM global in the client",
    /\b(document|window|navigator|localStorage|sessionStorage)\b[.[]/,
    /^client\/.*\.ts$/,
    /^client\/core\/browser\.ts$/,
  ],
  [
    "the clock or chance in the client",
    /Date\.now|Math\.random|\bsetTimeout\(|\bsetInterval\(/,
    /^client\/.*\.ts$/,
    /^client\/core\/browser\.ts$/,
  ],
  ["an import of a front end", /from "(\.\.\/)+(widget|workspace|loader|demo)/, /^(client|voice|tokens)\//],
  ["an import of the voice parts", /from "(\.\.\/)+voice/, /^(client|tokens|loader)\//],
  ["an inline script or style (CSP)", /<script(?![^>]*\bsrc=)|<style|\sstyle="|\son[a-z]+="/, /\.html$/],
  [
    "a physical side (right-to-left)",
    /(^|[\s;{])(margin|padding|border)-(left|right)\b|(^|[\s;{])(left|right):|text-align:\s*(left|right)/,
    /\.css$/,
    /^loader\//,
  ],
  ["something from another host", /https?:\/\/(?!www\.w3\.org\/)[a-z]/, /\.(css|html|tsx?)$/, /^loader\/main\.ts$/],
];

function* files(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (skip.has(name) || name.endsWith(".test.ts")) continue;
    if (statSync(path).isDirectory()) yield* files(path);
    else if (/\.(ts|tsx|css|html)$/.test(name)) yield path;
  }
}

let breaches = 0;
let read = 0;
for (const path of files(web)) {
  const name = relative(web, path);
  const lines = readFileSync(path, "utf8").split("\n");
  read += 1;
  if (lines.length > MOST_LINES && /\.tsx?$/.test(name) && !DATA.test(name))
    report(`${name}: ${lines.length} lines, more than ${MOST_LINES}`);
  for (const [what, pattern, where, but] of rules) {
    if (!where.test(name) || but?.test(name)) continue;
    lines.forEach((line, i) => pattern.test(line) && report(`${name}:${i + 1}: ${what}`));
  }
}

function report(text) {
  breaches += 1;
  process.stderr.write(`${text}\n`);
}

process.stdout.write(`web lint: ${read} files, ${breaches} breaches\n`);
process.exit(breaches === 0 && read > 20 ? 0 : 1);
