/**
 * What is wrong with a section. The server decides it (`PUT …?validate=1`); this turns its refusals into problems at
 * fields.
 */
import type { HTTPProblem } from "../../client/core/api";
import { isObject, number, string } from "../../client/core/parse";
import { audioDurationMs, historyDays, keptMessages } from "../../protocol/limits";
import { settingUnits } from "../../protocol/settings";
import { settingsTexts } from "../i18n/settings-texts";
import type { Privacy, Voice } from "./settings-model";
import { timeSpanText } from "./time-span";

const t = settingsTexts.problem;

/** `at` names the field: the ids of the items that lead to it, and its name, with dots between them. */
export interface Problem {
  readonly at: string;
  readonly text: string;
  /** The whole list is wrong, or an item: no field says it. */
  readonly isGeneral?: boolean;
}

/** Codes with which the server refuses a value, and not the person, the moment or the connection. */
const REFUSED_VALUE = ["bad_request", "out_of_range", "unknown_skill", "unknown_agent"];

/** Nobody types these: they come from what was chosen or added. */
const NO_FIELD = ["id", "agent"];

/** Numbers that cannot be sent, because what was typed is no number. */
export function numberProblems(value: unknown): readonly Problem[] {
  const found: Problem[] = [];
  visit(value, [], (at) => found.push({ at: at.join("."), text: t.number }));
  return found;
}

function visit(value: unknown, at: readonly string[], found: (at: readonly string[]) => void): void {
  if (typeof value === "number" && !Number.isFinite(value)) return found(at);
  if (Array.isArray(value)) value.forEach((one, i) => visit(one, [...at, nameOf(one, i)], found));
  else if (isObject(value)) for (const [name, one] of Object.entries(value)) visit(one, [...at, name], found);
}

/** The problem of the field that a refusal names in `at`: `skills[2].sla.usual`. `undefined`: it is about no field. */
export function refusedField(section: string, value: unknown, refusal: HTTPProblem): Problem | undefined {
  const path = string(refusal.body["at"]);
  if (!REFUSED_VALUE.includes(refusal.code) || path === undefined) return undefined;
  const [first, ...steps] = path.split(/[.[\]]+/u).filter((step) => step !== "");
  if (first !== section) return { at: "", text: refusal.message, isGeneral: true };
  const { at, leaf } = follow(value, steps);
  const limit = number(refusal.body["limit"]);
  const bound = limit === undefined ? undefined : limitText(leaf, limit, unitOf(path));
  const whole = typeof leaf === "number" && !Number.isInteger(leaf) ? t.whole : undefined;
  return {
    at: at.join("."),
    text: bound ?? whole ?? withoutPath(refusal.message, path),
    isGeneral: typeof leaf === "object" || NO_FIELD.includes(at[at.length - 1] ?? ""),
  };
}

/** The server's sentence, which begins with the path that it also gives apart. */
function withoutPath(sentence: string, path: string): string {
  if (!sentence.startsWith(path)) return sentence;
  const rest = sentence.slice(path.length + (sentence.startsWith(`${path}:`) ? 1 : 0)).trim();
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`;
}

/** The unit of a number, by its path without the places in lists. */
const unitOf = (path: string): string | undefined => settingUnits[path.replace(/\[\d+\]/gu, "")];

function follow(value: unknown, steps: readonly string[]): { at: readonly string[]; leaf: unknown } {
  const at: string[] = [];
  let leaf = value;
  for (const step of steps) {
    const inside: unknown = isObject(leaf) ? leaf[step] : Array.isArray(leaf) ? leaf[Number(step)] : undefined;
    at.push(Array.isArray(leaf) ? nameOf(inside, Number(step)) : step);
    leaf = inside;
  }
  return { at, leaf };
}

/** The name of an item of a list: what the forms call it by. */
function nameOf(item: unknown, index: number): string {
  const { id, agent, date, day } = isObject(item) ? item : ({} as Record<string, unknown>);
  return String(id ?? agent ?? date ?? (day === undefined ? index : `day${String(day)}`));
}

/** The bound that was crossed, in the unit that the field is shown in. */
function limitText(value: unknown, limit: number, unit: string | undefined): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? t.empty : t.long({ most: limit });
  if (typeof value !== "number") return undefined;
  const shown = unitText(limit, unit);
  return value < limit ? t.least({ least: shown }) : t.most({ most: shown });
}

function unitText(value: number, unit: string | undefined): string {
  if (unit === "seconds") return timeSpanText(value);
  if (unit === "percent") return `${value} %`;
  return String(unit === "thousandths" ? value / 1000 : value);
}

const range = (at: string, value: number, [least, most]: readonly [number, number], unit?: string): Problem[] =>
  value >= least && value <= most
    ? []
    : [{ at, text: limitText(value, value < least ? least : most, unit) ?? t.number }];

/** What is wrong with the privacy settings: the server has no check for them that stores nothing. */
export const checkPrivacy = ({ history }: Privacy): readonly Problem[] =>
  range("history.days", history.days, historyDays);

/** The same of the voice settings. */
export function checkVoice({ maxSeconds, keep }: Voice): readonly Problem[] {
  const [shortest, longest] = audioDurationMs;
  return [
    ...range("maxSeconds", maxSeconds, [shortest / 1000, longest / 1000], "seconds"),
    ...range("keep", keep, keptMessages),
  ];
}
