/** The profiles and groups of the brand: docs/protocol.md section 1. Pure. */
import { isObject, list, string } from "../../../client/core/parse";
import { type Permission, type PermissionDeclaration, PERMISSIONS } from "../../../protocol/permissions";
import { settingsTexts } from "../../i18n/settings-texts";
import type { Problem } from "../validation";

/** The most characters of the name of a profile or a group. */
export const NAME_LENGTH = 60;

/** Every profile has it, so that no one chooses it. */
export const ALWAYS: Permission = "conversations.read";

/** The permissions that a profile of the brand can have. */
export const CUSTOM = PERMISSIONS.filter(({ custom }) => custom);

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

/** What switching one permission on or off leads to. */
export interface PermissionChange {
  readonly held: readonly string[];
  /** The permissions that were switched with it. */
  readonly also: readonly PermissionDeclaration[];
}

/** Switches one permission: with it, on, what it needs; with it, off, what needs it. */
export function withPermission(held: readonly string[], one: Permission, on: boolean): PermissionChange {
  const switched = closure([one], on);
  const next = PERMISSIONS.filter(({ id }) => switched.has(id) ? on : held.includes(id)).map(({ id }) => id);
  const also = PERMISSIONS.filter(({ id }) => id !== one && held.includes(id) !== next.includes(id));
  return { held: next, also };
}

/** The permissions, and those that they need (`up`) or that need them, also over several steps. */
function closure(from: readonly Permission[], up: boolean): ReadonlySet<Permission> {
  const found = new Set(from);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const { id, needs } of PERMISSIONS) {
      if (up && found.has(id)) needs.forEach((need) => found.add(need));
      if (!up && needs.some((need) => found.has(need))) found.add(id);
    }
  }
  return found;
}

/** The names of permissions, in the order of the page. */
export const namesOf = (held: readonly string[]): readonly string[] =>
  PERMISSIONS.filter(({ id }) => held.includes(id)).map(({ name }) => name);

export function nameProblems(name: string): readonly Problem[] {
  const length = [...name.trim()].length;
  if (length === 0) return [{ at: "name", text: settingsTexts.problem.empty }];
  return length > NAME_LENGTH ? [{ at: "name", text: settingsTexts.problem.long({ most: NAME_LENGTH }) }] : [];
}
