import { type ReactElement } from "react";
import { isObject, number, string } from "../../../client/core/parse";
import { useSessionState } from "../../app/session-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { dateTimeText } from "../../ui/format";
import { useSettings } from "../settings-context";
import { detailText, type KnownNames } from "./audit-detail";
import { actorName } from "./history";
import { usePages } from "./paged-list";

interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly by: string;
  readonly what: string;
  readonly conversation: string | undefined;
  readonly detail: string;
}

export const log = settingsTexts.audit;

/** The audit log. */
export function Audit(): ReactElement {
  const { state } = useSettings();
  const { items, more, failed, older } = usePages("/v1/audit", "entries", parseEntry, ({ id }) => id, 0);
  const { inbox } = useSessionState();
  const names: KnownNames = {
    person: (agent) => state.people.find(({ id }) => id === agent)?.name,
    consumer: (conversation) => inbox.rows.get(conversation)?.who,
  };
  if (failed && items === undefined) return <p className="bad">{log.forbidden}</p>;
  if (items === undefined) return <p className="a-hint">{settingsTexts.loading}</p>;
  if (items.length === 0) return <p className="a-empty">{log.empty}</p>;
  return (
    <>
      <div className="table-frame" role="region" aria-label={settingsTexts.sections["audit"]?.[0]} tabIndex={0}>
        <table className="audit">
          <thead>
            <tr>
              {[log.when, log.who, log.what, log.conversation, log.detail].map((name) => (
                <th key={name} scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(({ id, at, by, what, conversation, detail }) => (
              <tr key={id}>
                <td>
                  <time>{dateTimeText(at)}</time>
                </td>
                <td dir="auto">{names.person(by) ?? actorName(by)}</td>
                <td>{log.whats[what] ?? what}</td>
                <td>
                  {conversation !== undefined && (
                    <a href={`#/all/${conversation}`} dir="auto">
                      {names.consumer(conversation) ?? `${conversation.slice(0, 6)}…`}
                    </a>
                  )}
                </td>
                <td dir="auto">{detailText({ what, conversation, detail }, names)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more && <button type="button" className="button" onClick={older}>{log.more}</button>}
    </>
  );
}

function parseEntry(v: unknown): AuditEntry | undefined {
  if (!isObject(v)) return undefined;
  const id = number(v["id"]);
  const detail = v["detail"];
  return id === undefined ? undefined : {
    id,
    at: number(v["at"]) ?? 0,
    by: string(v["by"]) ?? "",
    what: string(v["what"]) ?? "",
    conversation: string(v["conversation"]),
    detail: typeof detail === "string" ? detail : detail === undefined ? "" : JSON.stringify(detail),
  };
}
