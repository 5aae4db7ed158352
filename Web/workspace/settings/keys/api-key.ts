/** The API keys of the brand: docs/protocol.md section 1. Pure. */
import { isObject, list, number, string } from "../../../client/core/parse";
import { settingsTexts } from "../../i18n/settings-texts";
import type { Problem } from "../validation";

const DAY_MS = 86_400_000;

/** The most characters of a key's name. */
export const NAME_LENGTH = 60;
/** The longest time of a key, in days. */
export const MOST_DAYS = 731;

export const SCOPES = ["history.read", "notes.read", "recordings.read"] as const;
export type Scope = (typeof SCOPES)[number];

/** When a key ends: after a number of days, or on a chosen day. */
export const LIFETIMES = ["30", "90", "365", "day"] as const;
export type Lifetime = (typeof LIFETIMES)[number];

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly by: string;
  readonly made: number;
  readonly expires: number;
  readonly used: number | undefined;
}

/** A key that was just made; `text` is what the program sends, and isn't shown again. */
export interface NewApiKey {
  readonly key: ApiKey;
  readonly text: string;
}

/** A key as it is being filled in. */
export interface KeyWish {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly lifetime: Lifetime;
  /** The beginning of the key's last day, for the lifetime `day`. */
  readonly day: number | undefined;
}

export const EMPTY: KeyWish = { name: "", scopes: ["history.read"], lifetime: "90", day: undefined };

/** When the key would end; `undefined` before a day was chosen. A day counts to its end. */
export function endOf({ lifetime, day }: KeyWish, now: number): number | undefined {
  if (lifetime !== "day") return now + Number(lifetime) * DAY_MS;
  return day === undefined ? undefined : day + DAY_MS - 1;
}

export function problemsOf(wish: KeyWish, now: number): readonly Problem[] {
  const text = settingsTexts.keys;
  const name = wish.name.trim();
  const end = endOf(wish, now);
  const fits = end !== undefined && end > now && end <= now + MOST_DAYS * DAY_MS;
  return [
    ...(name === "" ? [{ at: "name", text: settingsTexts.problem.empty }] : []),
    ...([...name].length > NAME_LENGTH
      ? [{ at: "name", text: settingsTexts.problem.long({ most: NAME_LENGTH }) }]
      : []),
    ...(wish.scopes.length === 0 ? [{ at: "scopes", text: text.noScope }] : []),
    ...(fits ? [] : [{ at: "day", text: text.badDay }]),
  ];
}

/** The keys that a person made and that still work: they outlive the person's sign-in. */
export function keysMadeBy(person: string, keys: readonly ApiKey[], now: number): readonly ApiKey[] {
  return keys.filter(({ by, expires }) => by === person && expires > now);
}

export function keyOf(v: unknown): ApiKey | undefined {
  if (!isObject(v)) return undefined;
  const [id, name] = [string(v["id"]), string(v["name"])];
  return id === undefined || name === undefined ? undefined : {
    id,
    name,
    scopes: list(v["scopes"], string),
    by: string(v["by"]) ?? "",
    made: number(v["made"]) ?? 0,
    expires: number(v["expires"]) ?? 0,
    used: number(v["used"]),
  };
}

export function newKeyOf(v: Readonly<Record<string, unknown>>): NewApiKey | undefined {
  const [key, text] = [keyOf(v["key"]), string(v["text"])];
  return key === undefined || text === undefined ? undefined : { key, text };
}
