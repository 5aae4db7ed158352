/** The profiles and groups of the brand: docs/protocol.md section 1. Pure. */
import { isObject, list, string } from "../../../client/core/parse";
import { settingsTexts } from "../../i18n/settings-texts";
import type { Problem } from "../validation";

/** The most characters of the name of a profile or a group. */
export const NAME_LENGTH = 60;

/** What a profile can have. Everyone may read what they see; people and keys are for managers only. */
export const PERMISSIONS = [
  "conversations.all",
  "history.read",
  "history.search",
  "conversations.answer",
  "conversations.close",
  "conversations.closeOthers",
  "consumers.block",
  "conversations.export",
  "audit.read",
  "settings.change",
] as const;

export interface Profile {
  readonly id: string;
  readonly name: string;
  readonly permissions: readonly string[];
  /** The profile of a role, which can't be changed. */
  readonly builtIn: boolean;
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly skills: readonly string[];
  readonly people: readonly string[];
}

export function profileOf(v: unknown): Profile | undefined {
  const named = namedOf(v);
  if (named === undefined) return undefined;
  return { ...named.base, permissions: list(named.v["permissions"], string), builtIn: named.v["builtIn"] === true };
}

export function groupOf(v: unknown): Group | undefined {
  const named = namedOf(v);
  return named && { ...named.base, skills: list(named.v["skills"], string), people: list(named.v["people"], string) };
}

interface Named {
  readonly v: Readonly<Record<string, unknown>>;
  readonly base: { readonly id: string; readonly name: string };
}

function namedOf(v: unknown): Named | undefined {
  if (!isObject(v)) return undefined;
  const [id, name] = [string(v["id"]), string(v["name"])];
  return id === undefined || name === undefined ? undefined : { v, base: { id, name } };
}

/** The permissions with one more or less: the audit log names every conversation, so it needs to see them all. */
export function withPermission(held: readonly string[], one: string, on: boolean): readonly string[] {
  const next = PERMISSIONS.filter((each) => (each === one ? on : held.includes(each)));
  return next.includes("audit.read") && !next.includes("conversations.all")
    ? next.filter((each) => each !== "audit.read")
    : next;
}

export function nameProblems(name: string): readonly Problem[] {
  const length = [...name.trim()].length;
  if (length === 0) return [{ at: "name", text: settingsTexts.problem.empty }];
  return length > NAME_LENGTH ? [{ at: "name", text: settingsTexts.problem.long({ most: NAME_LENGTH }) }] : [];
}
