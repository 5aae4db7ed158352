/**
 * The contact-centre settings of docs/protocol.md section 7. The wire declares their types. A section is stored as the
 * server sent it and changed by copying, so that a field which only a newer server knows returns to it unchanged.
 */
import type { Json } from "../../client/core/parse";
import type {
  AutomaticMessage as Automatic,
  Capacity,
  ContactCentreSettings as Centre,
  Hours,
  RoutingRule as Rule,
  Silence,
  Skill,
  Survey,
} from "../../protocol/settings";

export type {
  AutomaticMessage as Automatic,
  CannedReply as Canned,
  Capacity,
  ContactCentreSettings as Centre,
  Hours,
  RoutingRule as Rule,
  Seat,
  Silence,
  Skill,
  Survey,
  WrapUp,
} from "../../protocol/settings";

/** `day`: 1 is Monday. */
export type Shift = Hours["week"][number];

export type Holiday = Hours["holidays"][number];

/** A period in minutes since midnight, on the wall clock. */
export type Span = Holiday["open"][number];

export type Condition = Rule["conditions"][number];

export const TESTS: readonly Condition["test"][] = [
  "is",
  "isNot",
  "contains",
  "starts",
  "ends",
  "exists",
  "atLeast",
  "atMost",
];

/** What an automatic message is sent on. */
export type Occasion = Automatic["on"];

export const OCCASIONS: readonly Occasion[] = [
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
];
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

/** The sections of the settings; each is saved and undone as a whole. */
export type Sections = Omit<Centre, "v">;

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

/** Whether this names a section of the centre. */
export const isSection = (name: string): name is Section => (SECTIONS as readonly string[]).includes(name);

/** What happens to private data, stored apart from the sections: docs/protocol.md section 6. */
export interface Privacy {
  readonly cardNumbers: "masked" | "kept";
  /** What consumers see of their earlier messages. */
  readonly history: {
    /** How many days back; 0 for everything. */
    readonly days: number;
    /** Also what was said before the conversation was closed. */
    readonly closed: boolean;
  };
}

/** Which calls the brand allows, stored apart from the sections: docs/protocol.md section 6. */
export interface Calls {
  readonly voice: boolean;
  readonly video: boolean;
  /** Consumers may ask to be called. */
  readonly requests: boolean;
}

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

/** The brand's settings for messages, which are kept apart from the centre but edited alike. */
export interface MessageSettings {
  readonly voice: Voice;
  readonly privacy: Privacy;
  readonly calls: Calls;
}

/** Whether this names a part of the settings for messages. */
export const isMessagePart = (name: string): name is keyof MessageSettings =>
  name === "voice" || name === "privacy" || name === "calls";

/** Reads the answer of `GET` and `PATCH /v1/settings`. */
export function messagesOf(settings: Json): MessageSettings {
  const cardNumbers = settings["cardNumbers"] === "kept" ? "kept" : "masked";
  const history = settings["history"] as Privacy["history"];
  return { voice: settings["audio"] as Voice, privacy: { cardNumbers, history }, calls: settings["calls"] as Calls };
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
