/** A person of the brand, as a manager edits them: docs/protocol.md section 1. Pure. */
import { isObject, string } from "../../../client/core/parse";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly role: string;
  /** Cannot sign in. */
  readonly disabled?: true;
}

/** A change of a person; omitted fields stay as they are. */
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

/** Only what differs between form and person, so that two managers don't overwrite each other's changes. */
export function patchOf(person: Person, form: Required<PersonPatch>): PersonPatch {
  const name = form.name.trim();
  return {
    ...(name === person.name ? {} : { name }),
    ...(form.role === person.role ? {} : { role: form.role }),
    ...(form.disabled === isOff(person) ? {} : { disabled: form.disabled }),
  };
}

/** The patch that undoes a patch. */
export function inversePatch(person: Person, patch: PersonPatch): PersonPatch {
  return {
    ...(patch.name === undefined ? {} : { name: person.name }),
    ...(patch.role === undefined ? {} : { role: person.role }),
    ...(patch.disabled === undefined ? {} : { disabled: isOff(person) }),
  };
}

export const isOff = ({ disabled }: Person): boolean => disabled === true;

/** Whether the change signs the person out. Someone who can't sign in has no session to end. */
export const endsSession = (person: Person, patch: PersonPatch): boolean =>
  !isOff(person) && (patch.role !== undefined || patch.disabled === true);
