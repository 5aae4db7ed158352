/** The status of agents and queues: the frames `me`, `team` and `wall` of docs/protocol.md section 2. */
import { compact, isObject, list, number, string } from "../core/parse";

/** `occupied`: takes only what is transferred to them. */
export type Presence = "online" | "occupied" | "away" | "offline";

/** How routing sees a person. `load` in thousandths of a whole conversation, `capacity` in whole ones. */
export interface Standing {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly presence: { readonly state: Presence; readonly reason?: string; readonly since: number };
  readonly skills: readonly string[];
  readonly load: number;
  readonly capacity: number;
  /** Conversations that they answer. */
  readonly open: number;
}

/**
 * The figures of a skill's queue. `closed`, `satisfied` and `rated` count since midnight UTC; `unplayed` in
 * milliseconds.
 */
export interface QueueStanding {
  readonly skill: string;
  readonly queued: number;
  /** Since when the oldest waits. */
  readonly oldest?: number;
  readonly unplayed: number;
  readonly assigned: number;
  readonly overdue: number;
  readonly closed: number;
  readonly satisfied: number;
  /** Replies to consumers who were given a time, and how many of them kept it. */
  readonly answered: number;
  readonly kept: number;
  readonly rated: number;
  readonly online: number;
}

/** The figures of the live wall. */
export interface Wall {
  readonly skills: readonly QueueStanding[];
  readonly people: readonly Standing[];
}

/** Reads an agent's status; `undefined` where it is unusable. */
export function parseStanding(v: unknown): Standing | undefined {
  if (!isObject(v)) return undefined;
  const id = string(v["id"]);
  if (id === undefined) return undefined;
  const presence = isObject(v["presence"]) ? v["presence"] : {};
  const count = (name: string): number => number(v[name]) ?? 0;
  return {
    id, name: string(v["name"]) ?? "", role: string(v["role"]) ?? "", skills: list(v["skills"], string),
    load: count("load"), capacity: count("capacity"), open: count("open"),
    presence: compact<Standing["presence"]>({
      state: parsePresence(presence["state"]), reason: string(presence["reason"]), since: number(presence["since"])
        ?? 0,
    }),
  };
}

/** Reads the figures of the live wall. */
export function parseWall(v: unknown): Wall | undefined {
  return isObject(v) ? { skills: list(v["skills"], parseQueue), people: list(v["people"], parseStanding) } : undefined;
}

/** A state that we do not know takes no work, as far as we know. */
function parsePresence(v: unknown): Presence {
  return v === "online" || v === "occupied" || v === "away" ? v : "offline";
}

function parseQueue(v: unknown): QueueStanding | undefined {
  if (!isObject(v)) return undefined;
  const skill = string(v["skill"]);
  if (skill === undefined) return undefined;
  const count = (name: string): number => number(v[name]) ?? 0;
  return compact<QueueStanding>({
    skill, oldest: number(v["oldest"]), queued: count("queued"), unplayed: count("unplayed"),
    assigned: count("assigned"), overdue: count("overdue"),
    closed: count("closed"), satisfied: count("satisfied"), answered: count("answered"), kept: count("kept"),
    rated: count("rated"), online: count("online"),
  });
}
