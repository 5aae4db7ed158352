/** A person of the brand, as a manager edits them: docs/protocol.md section 1. Pure. */
import { isObject, number, string } from "../../../client/core/parse";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
  readonly role: string;
  /** The profile that the brand gave the person. */
  readonly profile?: string;
  /** Cannot sign in. */
  readonly disabled?: true;
  /** Has not set a password yet. */
  readonly invited?: true;
  /** When the link ends with which the person can set a password. */
  readonly linkEnds?: number;
  /** Has a second factor. */
  readonly secondFactor?: true;
}

/** A link that was just made. The server shows it once. */
export interface NewLink {
  readonly address: string;
  readonly expires: number;
}

export function linkOf(v: unknown): NewLink | undefined {
  const path = isObject(v) ? string(v["path"]) : undefined;
  const expires = isObject(v) ? number(v["expires"]) : undefined;
  return path === undefined || expires === undefined ? undefined : { address: location.origin + path, expires };
}

/** A person to invite. */
export interface Invitation {
  readonly email: string;
  readonly name: string;
  readonly role: string;
}

/** A change of a person; omitted fields stay as they are. */
export interface PersonPatch {
  readonly name?: string;
  readonly role?: string;
  readonly disabled?: boolean;
  /** A profile's id, or `built-in` for that of the role. */
  readonly profile?: string;
}

/** A name has at most so many characters. */
export const NAME_LENGTH = 100;

export function personOf(v: unknown): Person | undefined {
  const id = isObject(v) ? string(v["id"]) : undefined;
  if (!isObject(v) || id === undefined) return undefined;
  const [email, profile, linkEnds] = [string(v["email"]), string(v["profile"]), number(v["linkEnds"])];
  return {
    id,
    name: string(v["name"]) ?? id,
    role: string(v["role"]) ?? "",
    ...(email === undefined ? {} : { email }),
    ...(profile === undefined ? {} : { profile }),
    ...(v["disabled"] === true ? { disabled: true } : {}),
    ...(v["invited"] === true ? { invited: true } : {}),
    ...(linkEnds === undefined ? {} : { linkEnds }),
    ...(v["secondFactor"] === true ? { secondFactor: true } : {}),
  };
}

/** Only what differs between form and person, so that two managers don't overwrite each other's changes. */
export function patchOf(person: Person, form: Required<PersonPatch>): PersonPatch {
  const name = form.name.trim();
  return {
    ...(name === person.name ? {} : { name }),
    ...(form.role === person.role ? {} : { role: form.role }),
    ...(form.disabled === isOff(person) ? {} : { disabled: form.disabled }),
    ...(form.profile === profileFor(person) ? {} : { profile: form.profile }),
  };
}

/** The patch that undoes a patch. */
export function inversePatch(person: Person, patch: PersonPatch): PersonPatch {
  return {
    ...(patch.name === undefined ? {} : { name: person.name }),
    ...(patch.role === undefined ? {} : { role: person.role }),
    ...(patch.disabled === undefined ? {} : { disabled: isOff(person) }),
    ...(patch.profile === undefined ? {} : { profile: profileFor(person) }),
  };
}

/** Whether the person has a link, or needs one to join. A change of the person may end it. */
export const hasLink = ({ invited, linkEnds }: Person): boolean => invited === true || linkEnds !== undefined;

/** The person's profile as a change names it. */
export const profileFor = ({ profile }: Person): string => profile ?? "built-in";

export const isOff = ({ disabled }: Person): boolean => disabled === true;

/** Whether the change signs the person out. Someone who can't sign in has no session to end. */
export const endsSession = (person: Person, patch: PersonPatch): boolean =>
  !isOff(person) && (patch.role !== undefined || patch.disabled === true);
