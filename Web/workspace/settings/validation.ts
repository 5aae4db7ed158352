/**
 * What is wrong with a section. The server decides it (`PUT …?validate=1`); this turns its refusals into problems at
 * fields.
 */
import type { HTTPProblem } from "../../client/core/api";
import { isObject, number } from "../../client/core/parse";
import { audioDurationMs, historyDays, keptMessages } from "../../protocol/limits";
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

/** The problem that a refusal names: `skills[2].sla.usual: it is …`. `undefined` where it is about something else. */
export function refusedField(section: string, value: unknown, refusal: HTTPProblem): Problem | undefined {
  const [, path, sentence] = /^([\w[\].]+)(?: \([^)]*\))?:? (.+)$/su.exec(refusal.message) ?? [];
  if (!REFUSED_VALUE.includes(refusal.code) || path === undefined || sentence === undefined) return undefined;
  if (path.split(/[.[]/u)[0] !== section) return { at: "", text: refusal.message, isGeneral: true };
  const { at, leaf } = follow(value, path.slice(section.length).match(/\w+/gu) ?? []);
  const field = at[at.length - 1] ?? "";
  const limit = number(refusal.body["limit"]);
  const bound = limit === undefined ? undefined : limitText(field, leaf, limit);
  const text = bound ?? (typeof leaf === "number" && !Number.isInteger(leaf) ? t.whole : inSentenceCase(sentence));
  return { at: at.join("."), text, isGeneral: typeof leaf === "object" || NO_FIELD.includes(field) };
}

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
function limitText(field: string, value: unknown, limit: number): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? t.empty : t.long({ most: limit });
  if (typeof value !== "number") return undefined;
  const shown = unitText(field, limit);
  return value < limit ? t.least({ least: shown }) : t.most({ most: shown });
}

function unitText(field: string, value: number): string {
  if (/Seconds$|^usual$|^urgent$|^first$/u.test(field)) return timeSpanText(value);
  if (["velocity", "listenSpeed"].includes(field)) return `${value} %`;
  return String(["slack", "active", "idle"].includes(field) ? value / 1000 : value);
}

const inSentenceCase = (sentence: string): string => `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;

const range = (at: string, value: number, [least, most]: readonly [number, number]): Problem[] =>
  value >= least && value <= most
    ? []
    : [{ at, text: limitText(at, value, value < least ? least : most) ?? t.number }];

/** What is wrong with the privacy settings: the server has no check for them that stores nothing. */
export const checkPrivacy = ({ history }: Privacy): readonly Problem[] =>
  range("history.days", history.days, historyDays);

/** The same of the voice settings. */
export function checkVoice({ maxSeconds, keep }: Voice): readonly Problem[] {
  const [shortest, longest] = audioDurationMs;
  return [
    ...range("maxSeconds", maxSeconds, [shortest / 1000, longest / 1000]),
    ...range("keep", keep, keptMessages),
  ];
}
