/** What an entry of the audit log says further, with names for ids. Pure. */
import { settingsTexts } from "../../i18n/settings-texts";
import { actorName } from "./actor-name";

/** What is needed of an entry. */
export interface AuditDetail {
  readonly what: string;
  readonly conversation: string | undefined;
  readonly detail: string;
}

/** Names for ids, as far as they are known. */
export interface KnownNames {
  readonly person: (id: string) => string | undefined;
  /** A profile that the brand made. */
  readonly profile: (id: string) => string | undefined;
  /** The consumer of a conversation. */
  readonly consumer: (conversation: string) => string | undefined;
}

const text = settingsTexts.audit;

/** Who did it: a person, the operator, Earshot itself, or a program by the name of its key. */
export function authorText({ by, what, detail }: AuditDetail & { readonly by: string }, names: KnownNames): string {
  const known = names.person(by) ?? actorName(by);
  if (known !== by) return known;
  const key = keyName(what, detail);
  return key === undefined ? by : text.program({ name: key });
}

/** What programs do is stored with the name of their key. */
function keyName(what: string, detail: string): string | undefined {
  const isDownload = what === "audio.downloaded";
  if (!isDownload && !PROGRAMS.includes(what)) return undefined;
  return (isDownload ? detail.split(" ").slice(1).join(" ") : detail) || undefined;
}

const PROGRAMS = ["history.searched", "history.read"];

/** What was done. */
export function actionText({ what, detail }: AuditDetail): string {
  const section = what === "centre.changed" ? settingsTexts.sections[detail.split(" ")[0] ?? ""]?.[0] : undefined;
  return section === undefined ? text.whats[what] ?? what : text.changed({ section });
}

/** The detail of an entry. An id without a known name stays. */
export function detailText({ what, conversation, detail }: AuditDetail, names: KnownNames): string {
  if (["consumer.blocked", "consumer.unblocked", "consumer.signedOut"].includes(what)) {
    return (conversation === undefined ? undefined : names.consumer(conversation)) ?? detail;
  }
  if (what === "centre.changed") return versionText(detail);
  if (what === "profile.changed") return namedText(detail, /^(\w+) \S+ \S* ?(.*)$/u);
  if (what === "group.changed") return namedText(detail, /^(\w+) \S+ skills: \d+, people: \d+ (.*)$/u);
  if (what === "person.changed") return personText(detail, names);
  // The subject comes first.
  const [subject = "", ...rest] = detail.split(" ");
  return [(what.startsWith("person.") ? names.person(subject) : undefined) ?? subject, ...rest].join(" ");
}

/** `skills v=4 undoes=3`. */
function versionText(detail: string): string {
  const [, version, undone] = /^\w+ v=(\d+)(?: undoes=(\d+))?$/u.exec(detail) ?? [];
  if (version === undefined) return detail;
  return undone === undefined ? text.version({ version }) : text.versionUndoes({ version, undone });
}

/** `made dv9_uki conversations.all Readers`: the id and the permissions say less than the name. */
function namedText(detail: string, form: RegExp): string {
  const [, verb = "", name = ""] = form.exec(detail) ?? [];
  return name === "" ? detail : text.named({ name, verb: text.verbs[verb] ?? verb });
}

/** `k3J role=manager disabled=true name=Dana Fields profile=dv9_uki`, each of which may be missing. */
function personText(detail: string, names: KnownNames): string {
  const found = /^(\S+)(?: role=(\S+))?(?: disabled=(\S+))?(?: name=(.*?))?(?: profile=(\S+))?$/u.exec(detail);
  if (found === null) return detail;
  const [, id = "", role, disabled, name, profile] = found;
  const changes = [
    role && text.role({ role: settingsTexts.people.role[role] ?? role }),
    disabled && (disabled === "true" ? text.signInOff : text.signInOn),
    name && text.name({ name }),
    profile && (profile === "built-in" ? text.builtIn : text.profile({ name: names.profile(profile) ?? profile })),
  ].filter(Boolean).join(", ");
  const who = names.person(id) ?? id;
  return changes === "" ? who : `${who}: ${changes}`;
}
