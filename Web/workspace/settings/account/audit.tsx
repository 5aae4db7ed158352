import { type ReactElement, useState } from "react";
import { isObject, number, string } from "../../../client/core/parse";
import { useSessionState } from "../../app/session-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { Choice, DateFilter, type Options } from "../../ui/filter-fields";
import { dateTimeText } from "../../ui/format";
import { useProfileNames, useSettings } from "../settings-context";
import { actorName } from "./actor-name";
import { actionText, authorText, detailText, type KnownNames } from "./audit-detail";
import { usePages } from "./paged-list";

interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly by: string;
  readonly what: string;
  readonly conversation: string | undefined;
  readonly detail: string;
  readonly address: string | undefined;
}

const log = settingsTexts.audit;

/** What is asked of the log; an omitted part asks for anything. */
interface AuditFilter {
  readonly by?: string;
  readonly what?: string;
  readonly from?: string;
  readonly to?: string;
}

const DAY_MS = 86_400_000;
const ACTIONS: Options = Object.entries(log.whats).sort(([, left], [, right]) => left.localeCompare(right));

/** The audit log, with a filter. */
export function Audit(): ReactElement {
  const [filter, setFilter] = useState<AuditFilter>({});
  const query = new URLSearchParams({ ...filter }).toString();
  const { items, more, failed, older } = usePages(
    query === "" ? "/v1/audit" : `/v1/audit?${query}`,
    "entries",
    parseEntry,
    ({ id }) => id,
    0,
  );
  if (failed && items === undefined) return <p className="bad">{log.forbidden}</p>;
  if (items === undefined) return <p className="a-hint">{settingsTexts.loading}</p>;
  return (
    <>
      <AuditFilters filter={filter} change={setFilter} />
      {failed && <p className="bad" role="alert">{settingsTexts.failed}</p>}
      {items.length === 0 ? <p className="a-empty">{query === "" ? log.empty : log.noMatch}</p> : (
        <AuditTable items={items} />
      )}
      {more && <button type="button" className="button" onClick={older}>{log.more}</button>}
    </>
  );
}

interface FiltersProps {
  readonly filter: AuditFilter;
  readonly change: (filter: AuditFilter) => void;
}

function AuditFilters({ filter, change }: FiltersProps): ReactElement {
  const { state } = useSettings();
  const put = (part: keyof AuditFilter, value: string | undefined): void => {
    const { [part]: _, ...rest } = filter;
    change(value === undefined || value === "" ? rest : { ...rest, [part]: value });
  };
  const people: Options = [
    ...state.people.map(({ id, name }): Options[number] => [id, name]),
    ["earshot", actorName("earshot")],
    ["operator", actorName("operator")],
  ];
  const { by, what, from, to } = filter;
  return (
    <div className="filters audit-filters">
      <Choice label={log.who} value={by} options={people} choose={(value) => put("by", value)} />
      <Choice label={log.what} value={what} options={ACTIONS} choose={(value) => put("what", value)} />
      <DateFilter
        label={log.from}
        value={from === undefined ? undefined : Number(from)}
        choose={(at) => put("from", at?.toString())}
      />
      <DateFilter
        label={log.to}
        value={to === undefined ? undefined : Number(to) - DAY_MS}
        choose={(at) => put("to", at === undefined ? undefined : String(at + DAY_MS))}
      />
      <button type="button" className="link" onClick={() => change({})}>{log.clear}</button>
    </div>
  );
}

function AuditTable({ items }: { items: readonly AuditEntry[] }): ReactElement {
  const { state } = useSettings();
  const { inbox } = useSessionState();
  const profile = useProfileNames();
  const names: KnownNames = {
    profile,
    person: (agent) => state.people.find(({ id }) => id === agent)?.name,
    consumer: (conversation) => inbox.rows.get(conversation)?.who,
  };
  return (
    <div className="table-frame" role="region" aria-label={settingsTexts.sections["audit"]?.[0]} tabIndex={0}>
      <table className="audit">
        <thead>
          <tr>
            {[log.when, log.who, log.what, log.conversation, log.detail].map((name) => (
              <th key={name} scope="col">{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>{items.map((entry) => <AuditRow key={entry.id} entry={entry} names={names} />)}</tbody>
      </table>
    </div>
  );
}

function AuditRow({ entry, names }: { entry: AuditEntry; names: KnownNames }): ReactElement {
  const { at, conversation, address } = entry;
  const detail = detailText(entry, names);
  return (
    <tr>
      <td>
        <time>{dateTimeText(at)}</time>
      </td>
      <td dir="auto">{authorText(entry, names)}</td>
      <td>{actionText(entry)}</td>
      <td>
        {conversation !== undefined && (
          <a href={`#/all/${conversation}`} dir="auto">
            {names.consumer(conversation) ?? `${conversation.slice(0, 6)}…`}
          </a>
        )}
      </td>
      <td dir="auto">{address === undefined ? detail : log.fromAddress({ detail, address }).trim()}</td>
    </tr>
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
    address: string(v["address"]),
  };
}
