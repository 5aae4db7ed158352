/** What an entry of the audit log says further, with names for ids. Pure. */
import { settingsTexts } from "../../i18n/settings-texts";

/** What is needed of an entry. */
export interface AuditDetail {
  readonly what: string;
  readonly conversation: string | undefined;
  readonly detail: string;
}

/** Names for ids, as far as they are known. */
export interface KnownNames {
  readonly person: (id: string) => string | undefined;
  /** The consumer of a conversation. */
  readonly consumer: (conversation: string) => string | undefined;
}

/** The detail of an entry. An id without a known name stays. */
export function detailText({ what, conversation, detail }: AuditDetail, names: KnownNames): string {
  if (["consumer.blocked", "consumer.unblocked", "consumer.signedOut"].includes(what)) {
    return (conversation === undefined ? undefined : names.consumer(conversation)) ?? detail;
  }
  // The subject comes first.
  const [subject = "", ...rest] = detail.split(" ");
  const name = what === "centre.changed"
    ? settingsTexts.sections[subject]?.[0]
    : what.startsWith("person.")
    ? names.person(subject)
    : undefined;
  return [name ?? subject, ...rest].join(" ");
}
