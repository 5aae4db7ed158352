/**
 * The settings of the contact centre as docs/protocol.md section 7 writes them. A section is kept as the server said it
 * and changed by copying, so that a field which a newer server knows and we do not comes back to it as it was.
 */
export interface Skill {
  readonly id: string;
  readonly name: string;
  readonly default: boolean;
  readonly fallback?: string;
  readonly accept: "auto" | "offer" | "offerToAll";
  readonly offerSeconds: number;
  readonly sla: { readonly usual: number; readonly urgent: number; readonly first: number };
  readonly hours?: string;
  readonly autoCloseSeconds?: number;
  readonly velocity: number;
  readonly disposition: "off" | "optional" | "required";
  readonly survey: boolean;
}

export interface Seat {
  readonly agent: string;
  readonly skills: readonly string[];
  readonly capacity: number;
  readonly listenSpeed?: number;
}

/** A period in minutes since midnight, on the wall clock. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** `day`: 1 is Monday. */
export type Shift = Span & { readonly day: number };

export interface Holiday {
  readonly date: string;
  readonly name: string;
  readonly open: readonly Span[];
}

export interface Hours {
  readonly id: string;
  readonly name: string;
  readonly zone: string;
  readonly week: readonly Shift[];
  readonly holidays: readonly Holiday[];
}

export const TESTS = ["is", "isNot", "contains", "starts", "ends", "exists", "atLeast", "atMost"] as const;

export interface Condition {
  readonly of: string;
  readonly test: (typeof TESTS)[number];
  readonly value: string;
}

export interface Rule {
  readonly id: string;
  readonly name: string;
  readonly on: boolean;
  readonly conditions: readonly Condition[];
  readonly skill: string;
  readonly urgent: boolean;
}

export interface Capacity {
  readonly slack: number;
  readonly active: number;
  readonly idle: number;
  readonly idleAfterSeconds: number;
  readonly backlogAfterSeconds?: number;
  readonly backlogPauseSeconds: number;
  readonly callbackAtLeastSeconds: number;
  readonly callbackLeadSeconds: number;
  readonly unplayedSecondsPerSlot?: number;
  readonly warmUpSeconds?: number;
}

export interface Silence {
  readonly onlineSeconds?: number;
  readonly awaySeconds?: number;
  readonly offlineSeconds?: number;
  readonly transferSeconds: number;
  readonly awayReasons: readonly string[];
}

export const OCCASIONS = [
  "firstWelcome",
  "welcome",
  "connected",
  "queued",
  "consumerIdle",
  "agentIdle",
  "offHoursFirst",
  "offHoursWelcome",
  "offHours",
  "slaChange",
  "urgentOn",
  "urgentOff",
  "callback",
  "transferred",
  "returned",
  "managerJoined",
  "managerLeft",
] as const;
export type Occasion = (typeof OCCASIONS)[number];
export const TIMED: readonly string[] = ["consumerIdle", "agentIdle", "queued"];

/** The placeholders that an automatic message may contain. */
export const PLACEHOLDERS = [
  "expectedResponseTime",
  "queuePosition",
  "agentNickname",
  "skill",
  "brand",
  "consumer",
  "time",
] as const;
/** The placeholders that a canned reply may contain. */
export const REPLY_PLACEHOLDERS = ["agentNickname", "consumer", "brand"] as const;

export interface Automatic {
  readonly id: string;
  readonly on: Occasion;
  readonly skill?: string;
  readonly language?: string;
  readonly enabled: boolean;
  readonly text: string;
  readonly without?: string;
  readonly afterSeconds?: number;
}

export interface Canned {
  readonly id: string;
  readonly shortcut: string;
  readonly title: string;
  readonly skill?: string;
  readonly language?: string;
  readonly text: string;
  readonly clip?: { readonly media: string; readonly ms: number };
}

export interface WrapUp {
  readonly dispositions: readonly { readonly id: string; readonly name: string; readonly skill?: string }[];
  readonly tags: readonly string[];
  readonly attributes: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: "text" | "number" | "yesNo" | "date";
  }[];
}

export interface Survey {
  readonly on: boolean;
  readonly csat: boolean;
  readonly nps: boolean;
  readonly words: boolean;
  readonly question: string;
  readonly openSeconds: number;
}

/** The sections of the settings; each is saved and undone as a whole. */
export interface Sections {
  readonly skills: readonly Skill[];
  readonly people: readonly Seat[];
  readonly hours: readonly Hours[];
  readonly rules: readonly Rule[];
  readonly capacity: Capacity;
  readonly silence: Silence;
  readonly automatic: readonly Automatic[];
  readonly canned: readonly Canned[];
  readonly wrapUp: WrapUp;
  readonly survey: Survey;
}

export type Section = keyof Sections;
export const SECTIONS: readonly Section[] = [
  "skills",
  "people",
  "hours",
  "rules",
  "capacity",
  "silence",
  "automatic",
  "canned",
  "wrapUp",
  "survey",
];

export type Centre = Sections & { readonly v: number };

/** The voice settings, stored apart from the sections: docs/protocol.md section 6. */
export interface Voice {
  readonly enabled: boolean;
  readonly consumers: boolean;
  readonly agents: boolean;
  readonly managers: boolean;
  readonly channels: Readonly<Record<string, boolean>>;
  readonly maxSeconds: number;
  readonly keep: number;
  readonly originals: boolean;
}

export const CAPACITY: Capacity = {
  slack: 500,
  active: 1000,
  idle: 100,
  idleAfterSeconds: 600,
  backlogAfterSeconds: 7200,
  backlogPauseSeconds: 10,
  callbackAtLeastSeconds: 1800,
  callbackLeadSeconds: 600,
  unplayedSecondsPerSlot: 300,
};
export const SILENCE: Silence = {
  onlineSeconds: 900,
  awaySeconds: 300,
  offlineSeconds: 60,
  transferSeconds: 7200,
  awayReasons: ["Break", "Lunch", "Meeting", "Training"],
};
export const SURVEY: Survey = {
  on: true,
  csat: true,
  nps: false,
  words: true,
  question: "How did we do?",
  openSeconds: 86_400,
};

/** A new skill with the server's defaults. */
export const newSkill = (id: string, name: string): Skill => ({
  id,
  name,
  default: false,
  accept: "offer",
  offerSeconds: 30,
  sla: { usual: 900, urgent: 300, first: 600 },
  velocity: 100,
  disposition: "optional",
  survey: true,
});

/** A copy with a field set, or without it for `undefined`: an omitted field differs from an empty one. */
export function put<T extends object, K extends keyof T>(value: T, key: K, to: T[K] | undefined): T {
  const { [key]: _, ...rest } = value;
  return (to === undefined ? rest : { ...rest, [key]: to }) as T;
}

/** An id for a name: `Orders & returns` becomes `orders-returns`, with a number if that is taken. */
export function slug(name: string, taken: readonly string[]): string {
  const plain =
    name.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/gu, "-").replace(/^-+|-+$/gu, "").slice(0, 40) || "new";
  if (!taken.includes(plain)) return plain;
  for (let i = 2;; i++) if (!taken.includes(`${plain}-${i}`)) return `${plain}-${i}`;
}

/** Whether two values are deeply equal; the order of keys doesn't matter. */
export function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (
    typeof a !== "object" || typeof b !== "object" || a === null || b === null || Array.isArray(a) !== Array.isArray(b)
  ) return false;
  const [x, y] = [a, b] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(x ?? {}), ...Object.keys(y ?? {})]);
  return [...keys].every((key) => same(x?.[key], y?.[key]));
}
