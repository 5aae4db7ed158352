import { settingsTexts } from "../i18n/settings-texts";
import type {
  Automatic,
  Canned,
  Capacity,
  Hours,
  Rule,
  Seat,
  Silence,
  Skill,
  Span,
  Survey,
  WrapUp,
} from "./settings-model";
import { PLACEHOLDERS, REPLY_PLACEHOLDERS, TIMED } from "./settings-model";
import { timeSpanText } from "./time-span";
import { LIMITS, type Problem, type ValidationContext } from "./validation";

export const t = settingsTexts.problem;

type Range = readonly [number, number];

export class ProblemList {
  readonly all: Problem[] = [];
  add(at: string, text: string): void {
    this.all.push({ at, text });
  }
  text(at: string, value: string, most: number = LIMITS.name): void {
    if (value.trim() === "") this.add(at, t.empty);
    else if ([...value].length > most) this.add(at, t.long({ most }));
  }
  range(at: string, value: number | undefined, [least, most]: Range, shown: (value: number) => string = String): void {
    if (value === undefined) return;
    if (!Number.isFinite(value)) this.add(at, t.number);
    else if (value < least) this.add(at, t.least({ least: shown(least) }));
    else if (value > most) this.add(at, t.most({ most: shown(most) }));
    else if (!Number.isInteger(value)) this.add(at, t.whole);
  }
  known(at: string, id: string | undefined, among: readonly { readonly id: string }[], text: string): void {
    if (id !== undefined && !among.some((one) => one.id === id)) this.add(at, text);
  }
  once<T>(items: readonly T[], at: (item: T) => string, of: (item: T) => string): void {
    const seen = new Set<string>();
    for (const item of items) {
      const key = of(item).trim().toLowerCase();
      if (key !== "" && seen.has(key)) this.add(at(item), t.twice);
      seen.add(key);
    }
  }
}

export const seconds = (value: number): string => timeSpanText(value);

export function skills(value: readonly Skill[], { hours }: ValidationContext, f: ProblemList): void {
  if (value.filter((skill) => skill.default).length !== 1) f.add("skills", t.oneDefault);
  f.once(value, ({ id }) => `${id}.name`, ({ name }) => name);
  for (const skill of value) {
    const at = (field: string): string => `${skill.id}.${field}`;
    f.text(at("name"), skill.name);
    f.range(at("offerSeconds"), skill.offerSeconds, LIMITS.ring, seconds);
    for (const which of ["usual", "urgent", "first"] as const) {
      f.range(at(which), skill.sla[which], LIMITS.sla, seconds);
    }
    f.range(at("autoCloseSeconds"), skill.autoCloseSeconds, LIMITS.autoClose, seconds);
    f.range(at("velocity"), skill.velocity, LIMITS.velocity, (v) => `${v} %`);
    f.known(at("fallback"), skill.fallback, value, t.noSkill);
    f.known(at("hours"), skill.hours, hours, t.noHours);
    if (skill.fallback === skill.id) f.add(at("fallback"), t.ownFallback);
  }
}

export function people(value: readonly Seat[], around: ValidationContext, f: ProblemList): void {
  for (const seat of value) {
    f.range(`${seat.agent}.capacity`, seat.capacity, LIMITS.capacity);
    f.range(`${seat.agent}.listenSpeed`, seat.listenSpeed, LIMITS.listenSpeed, (v) => `${v} %`);
    for (const skill of seat.skills) f.known(`${seat.agent}.skills`, skill, around.skills, t.noSkill);
  }
}

function spans(at: string, list: readonly Span[], f: ProblemList): void {
  const sorted = [...list].sort((a, b) => a.from - b.from);
  sorted.forEach(({ from, to }, i) => {
    if (!(from >= 0 && to <= 1440 && from < to)) f.add(at, t.span);
    else if ((sorted[i + 1]?.from ?? Infinity) < to) f.add(at, t.overlap);
  });
}

export function hours(value: readonly Hours[], _: ValidationContext, f: ProblemList): void {
  f.once(value, ({ id }) => `${id}.name`, ({ name }) => name);
  for (const one of value) {
    f.text(`${one.id}.name`, one.name);
    if (!isZone(one.zone)) f.add(`${one.id}.zone`, t.zone);
    for (let day = 1; day <= 7; day++) spans(`${one.id}.day${day}`, one.week.filter((shift) => shift.day === day), f);
    f.once(one.holidays, ({ date }) => `${one.id}.${date}.date`, ({ date }) => date);
    one.holidays.forEach(({ date, name, open }) => {
      if (!isDate(date)) f.add(`${one.id}.${date}.date`, t.date);
      f.text(`${one.id}.${date}.name`, name);
      spans(`${one.id}.${date}.open`, open, f);
    });
  }
}

export function rules(value: readonly Rule[], around: ValidationContext, f: ProblemList): void {
  for (const rule of value) {
    f.text(`${rule.id}.name`, rule.name);
    f.known(`${rule.id}.skill`, rule.skill, around.skills, t.noSkill);
    if (rule.conditions.length > LIMITS.conditions) f.add(`${rule.id}.condition0`, t.many({ most: LIMITS.conditions }));
    rule.conditions.forEach(({ of, test, value: wanted }, i) => {
      const at = `${rule.id}.condition${i}`;
      if (of === "attribute." || of.trim() === "") f.add(at, t.attribute);
      if (test !== "exists" && wanted.trim() === "") f.add(at, t.value);
      else if ([...wanted].length > LIMITS.value) f.add(at, t.long({ most: LIMITS.value }));
      if ((test === "atLeast" || test === "atMost") && wanted.trim() !== "" && !Number.isFinite(Number(wanted))) {
        f.add(at, t.number);
      }
    });
  }
}

export function capacity(value: Capacity, _: ValidationContext, f: ProblemList): void {
  const part = (v: number): string => String(v / 1000);
  for (const which of ["slack", "active", "idle"] as const) f.range(which, value[which], LIMITS[which], part);
  if (value.idle > value.active) f.add("idle", t.idleMore);
  const fields = [
    "idleAfterSeconds",
    "backlogAfterSeconds",
    "backlogPauseSeconds",
    "callbackAtLeastSeconds",
    "callbackLeadSeconds",
    "unplayedSecondsPerSlot",
    "warmUpSeconds",
  ] as const;
  for (const which of fields) f.range(which, value[which], LIMITS[which], seconds);
}

export function silence(value: Silence, _: ValidationContext, f: ProblemList): void {
  for (const which of ["onlineSeconds", "awaySeconds", "offlineSeconds"] as const) {
    f.range(which, value[which], LIMITS.silence, seconds);
  }
  f.range("transferSeconds", value.transferSeconds, LIMITS.transfer, seconds);
  f.once(value.awayReasons, () => "awayReasons", (reason) => reason);
  if (value.awayReasons.length > LIMITS.reasons) f.add("awayReasons", t.many({ most: LIMITS.reasons }));
  for (const reason of value.awayReasons) f.text("awayReasons", reason, LIMITS.tag);
}

export function automatic(value: readonly Automatic[], around: ValidationContext, f: ProblemList): void {
  f.once(value, ({ id }) => `${id}.skill`, ({ on, skill, language }) => `${on} ${skill ?? ""} ${language ?? ""}`);
  for (const message of value) {
    const at = (field: string): string => `${message.id}.${field}`;
    f.text(at("text"), message.text, LIMITS.text);
    for (const text of [message.text, message.without ?? ""]) {
      const wrong = unknownPlaceholders(text, PLACEHOLDERS);
      if (wrong !== undefined) f.add(at(text === message.text ? "text" : "without"), t.placeholder({ name: wrong }));
    }
    if ([...(message.without ?? "")].length > LIMITS.text) f.add(at("without"), t.long({ most: LIMITS.text }));
    if (TIMED.includes(message.on)) {
      if (message.afterSeconds === undefined) f.add(at("afterSeconds"), t.after);
      f.range(at("afterSeconds"), message.afterSeconds, LIMITS.after, seconds);
    }
    f.known(at("skill"), message.skill, around.skills, t.noSkill);
    language(at("language"), message.language, f);
  }
}

export function canned(value: readonly Canned[], around: ValidationContext, f: ProblemList): void {
  f.once(
    value,
    ({ id }) => `${id}.shortcut`,
    ({ shortcut, skill, language: tag }) => `${shortcut} ${skill ?? ""} ${tag ?? ""}`,
  );
  for (const reply of value) {
    f.text(`${reply.id}.title`, reply.title);
    if (!/^[\p{L}\p{N}-]{1,32}$/u.test(reply.shortcut)) f.add(`${reply.id}.shortcut`, t.shortcut);
    f.text(`${reply.id}.text`, reply.text, LIMITS.text);
    const wrong = unknownPlaceholders(reply.text, REPLY_PLACEHOLDERS);
    if (wrong !== undefined) f.add(`${reply.id}.text`, t.placeholder({ name: wrong }));
    f.known(`${reply.id}.skill`, reply.skill, around.skills, t.noSkill);
    language(`${reply.id}.language`, reply.language, f);
  }
}

export function wrapUp(value: WrapUp, around: ValidationContext, f: ProblemList): void {
  f.once(value.dispositions, ({ id }) => `${id}.name`, ({ name, skill }) => `${name} ${skill ?? ""}`);
  for (const { id, name, skill } of value.dispositions) {
    f.text(`${id}.name`, name);
    f.known(`${id}.skill`, skill, around.skills, t.noSkill);
  }
  f.once(value.tags, () => "tags", (tag) => tag);
  for (const tag of value.tags) f.text("tags", tag, LIMITS.tag);
  f.once(value.attributes, ({ id }) => `a.${id}.name`, ({ name }) => name);
  for (const { id, name } of value.attributes) f.text(`a.${id}.name`, name, LIMITS.tag);
}

export function survey(value: Survey, _: ValidationContext, f: ProblemList): void {
  f.text("question", value.question, LIMITS.question);
  f.range("openSeconds", value.openSeconds, LIMITS.openSeconds, seconds);
  if (value.on && !value.csat && !value.nps && !value.words) f.add("csat", t.asksNothing);
}

export function unknownPlaceholders(text: string, known: readonly string[]): string | undefined {
  return [...text.matchAll(/\{([A-Za-z]+)\}/gu)].map((match) => match[1] ?? "").find((name) => !known.includes(name));
}

function language(at: string, tag: string | undefined, f: ProblemList): void {
  if (tag !== undefined && !/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/iu.test(tag)) f.add(at, t.language);
}

export function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone !== "";
  } catch {
    return false;
  }
}

function isDate(date: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/u.test(date) && new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
}
