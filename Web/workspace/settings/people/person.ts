/** One of the brand's people as a manager changes them, and what a change comes to. Pure: docs/protocol.md section 1 says what the server does. */
import { isObject, string } from "../../../client/core/parse";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly role: string;
  /** Cannot sign in. */
  readonly disabled?: true;
}

/** What is left away stays as it is. */
export interface PersonPatch {
  readonly name?: string;
  readonly role?: string;
  readonly disabled?: boolean;
}

/** A name has at most so many characters. */
export const NAME_LENGTH = 100;

export function personOf(v: unknown): Person | undefined {
  const id = isObject(v) ? string(v["id"]) : undefined;
  if (!isObject(v) || id === undefined) return undefined;
  const email = string(v["email"]);
  return {
    id,
    name: string(v["name"]) ?? id,
    role: string(v["role"]) ?? "",
    ...(email === undefined ? {} : { email }),
    ...(v["disabled"] === true ? { disabled: true } : {}),
  };
}

/** What the form differs from the person in, and only that: two managers who change different things do not undo each other. */
export function patchOf(person: Person, form: Required<PersonPatch>): PersonPatch {
  const name = form.name.trim();
  return {
    ...(name === person.name ? {} : { name }),
    ...(form.role === person.role ? {} : { role: form.role }),
    ...(form.disabled === isOff(person) ? {} : { disabled: form.disabled }),
  };
}

/** The patch that makes the person again what they were. */
export function inversePatch(person: Person, patch: PersonPatch): PersonPatch {
  return {
    ...(patch.name === undefined ? {} : { name: person.name }),
    ...(patch.role === undefined ? {} : { role: person.role }),
    ...(patch.disabled === undefined ? {} : { disabled: isOff(person) }),
  };
}

export const isOff = ({ disabled }: Person): boolean => disabled === true;

/** Whether whoever is signed in as this person has to sign in again: somebody who could not sign in is nowhere. */
export const endsSession = (person: Person, patch: PersonPatch): boolean =>
  !isOff(person) && (patch.role !== undefined || patch.disabled === true);
