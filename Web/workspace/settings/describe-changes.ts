/** Describes what changed between two values of a section. Pure. */
import { same, type Section, type Shift } from "./settings-model";
import { timeOf } from "./routing/opening-hours";
import { timeSpanText } from "./time-span";
import { settingsTexts } from "../i18n/settings-texts";

/** Names for ids. */
export interface Names {
  readonly skill: (id: string) => string;
  readonly hours: (id: string) => string;
  readonly agent: (id: string) => string;
}

type Json = Readonly<Record<string, unknown>>;
const t = settingsTexts.diff;
const isObject = (v: unknown): v is Json => typeof v === "object" && v !== null && !Array.isArray(v);
const isItems = (v: unknown): v is readonly Json[] => Array.isArray(v) && v.every(isObject);

/** One line per change. */
export function describeChanges(
  section: Section | string,
  before: unknown,
  after: unknown,
  names: Names,
): readonly string[] {
  if (isItems(before) && isItems(after)) return itemsDiff(section, before, after, names);
  if (isObject(before) && isObject(after)) return fieldsDiff(undefined, before, after, names);
  return same(before, after) ? [] : [
    t.value({
      field: settingsTexts.sections[section]?.[0] ?? section,
      before: valueText("", before, names),
      after: valueText("", after, names),
    }),
  ];
}

function itemsDiff(section: string, before: readonly Json[], after: readonly Json[], names: Names): readonly string[] {
  const what = t.items[section] ?? section;
  const id = (item: Json): string => String(item["id"] ?? item["agent"] ?? item["date"] ?? "");
  const old = new Map(before.map((item) => [id(item), item]));
  const now = new Map(after.map((item) => [id(item), item]));
  const name = (item: Json): string => itemName(item, names);
  const both = (ids: Iterable<string>): string => [...ids].filter((one) => old.has(one) && now.has(one)).join(" ");
  return [
    ...after.filter((item) => !old.has(id(item))).map((item) => t.added({ what, name: name(item) })),
    ...before.filter((item) => !now.has(id(item))).map((item) => t.removed({ what, name: name(item) })),
    ...after.flatMap((item) => {
      const was = old.get(id(item));
      return was === undefined ? [] : fieldsDiff(name(item), was, item, names);
    }),
    ...(both(old.keys()) === both(now.keys()) ? [] : [t.order]),
  ];
}

function fieldsDiff(name: string | undefined, before: Json, after: Json, names: Names): readonly string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) =>
    key !== "id" && key !== "v"
  );
  return keys.flatMap((key) => {
    const [was, is] = [before[key], after[key]];
    if (same(was, is)) return [];
    if (key === "sla" && isObject(was) && isObject(is)) return fieldsDiff(name, was, is, names);
    if (LISTS.includes(key) && isItems(was ?? []) && isItems(is ?? [])) {
      const inside = itemsDiff(key, (was ?? []) as readonly Json[], (is ?? []) as readonly Json[], names);
      return name === undefined ? inside : inside.map((line) => `${name}: ${line}`);
    }
    const field = t.fields[key] ?? key;
    if (name !== undefined && TEXTS.includes(key) && was !== undefined && is !== undefined) {
      return [t.text({ name, field })];
    }
    const [old, now] = [valueText(key, was, names), valueText(key, is, names)];
    return [
      name === undefined
        ? t.value({ field, before: old, after: now })
        : t.changed({ name, field, before: old, after: now }),
    ];
  });
}

const LISTS = ["dispositions", "attributes", "holidays"];
const TEXTS = ["text", "without"];
const PARTS = ["slack", "active", "idle"];

/** The name of an item of a section. */
export function itemName(item: Json, names: Names): string {
  if (typeof item["agent"] === "string") return names.agent(item["agent"]);
  const on = item["on"];
  if (typeof on === "string") {
    const occasion = (settingsTexts.automatic.occasions as Readonly<Record<string, readonly string[]>>)[on]?.[0] ?? on;
    const more = [typeof item["skill"] === "string" ? names.skill(item["skill"]) : "", item["language"]].filter(Boolean)
      .join(", ");
    return more === "" ? occasion : `${occasion} (${more})`;
  }
  return String(item["name"] ?? item["title"] ?? item["id"] ?? "");
}

/** A value as text. */
function valueText(key: string, value: unknown, names: Names): string {
  if (value === undefined || value === null) {
    return key.endsWith("Seconds") ? settingsTexts.item.never.toLowerCase() : t.nothing;
  }
  if (typeof value === "boolean") return (value ? settingsTexts.item.on : settingsTexts.item.off).toLowerCase();
  if (typeof value === "number") {
    if (PARTS.includes(key)) return new Intl.NumberFormat().format(value / 1000);
    if (key === "velocity" || key === "listenSpeed") return `${value} %`;
    return /Seconds|^(usual|urgent|first)$/u.test(key) ? timeSpanText(value) : String(value);
  }
  if (typeof value === "string") return wordFor(key, value, names);
  if (key === "week" && isItems(value)) return weekText(value as unknown as readonly Shift[]);
  if (key === "conditions" && isItems(value)) {
    return value.length === 0 ? t.nothing : value.map(conditionText).join(", ");
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? t.nothing : value.map((one) => valueText(key, one, names)).join(", ");
  }
  return isObject(value) && typeof value["from"] === "number" && typeof value["to"] === "number"
    ? `${timeOf(value["from"])}–${timeOf(value["to"])}`
    : JSON.stringify(value);
}

function wordFor(key: string, value: string, names: Names): string {
  if (key === "skill" || key === "skills" || key === "fallback") return names.skill(value);
  if (key === "hours") return names.hours(value);
  const { accepts, dispositions } = settingsTexts.skills;
  if (key === "accept") {
    return ((accepts as Readonly<Record<string, readonly string[]>>)[value]?.[0] ?? value).toLowerCase();
  }
  if (key === "disposition") return ((dispositions as Readonly<Record<string, string>>)[value] ?? value).toLowerCase();
  return value === "" ? t.nothing : `“${value}”`;
}

export function conditionText(condition: Json): string {
  const { of, tests } = settingsTexts.rules;
  const what = String(condition["of"] ?? "");
  const subject = (of as Readonly<Record<string, string>>)[what] ?? what.replace(/^attribute\./u, "");
  const test = (tests as Readonly<Record<string, string>>)[String(condition["test"])] ?? String(condition["test"]);
  return `${subject} ${test}${condition["test"] === "exists" ? "" : ` “${String(condition["value"] ?? "")}”`}`;
}

/** `Monday–Friday 08:00–20:00, Saturday 09:00–13:00`: equal days are combined. */
export function weekText(week: readonly Shift[]): string {
  const days = settingsTexts.hours.days.map((name, i) => ({
    name,
    text: week.filter(({ day }) => day === i + 1).sort((a, b) => a.from - b.from).map(({ from, to }) =>
      `${timeOf(from)}–${timeOf(to)}`
    ).join(" + "),
  }));
  const runs = days.reduce<{ from: string; to: string; text: string }[]>((all, { name, text }) => {
    const last = all[all.length - 1];
    if (last?.text === text) last.to = name;
    else all.push({ from: name, to: name, text });
    return all;
  }, []);
  const open = runs.filter(({ text }) => text !== "");
  return open.length === 0
    ? settingsTexts.hours.closed.toLowerCase()
    : open.map(({ from, to, text }) => `${from === to ? from : `${from}–${to}`} ${text}`).join(", ");
}
