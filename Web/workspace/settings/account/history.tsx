import { type ReactElement, useCallback, useEffect, useState } from "react";
import { isObject, list, number, string } from "../../../client/core/parse";
import { dateTimeText } from "../../ui/format";
import { useToast } from "../../app/page-context";
import { DurationField, NumberField, Toggle } from "../fields";
import type { Section } from "../settings-model";
import { describeChanges } from "../describe-changes";
import { useAsk, useNames, useSection, useSettings } from "../settings-context";
import { settingsTexts } from "../../i18n/settings-texts";

const voice = settingsTexts.voice;

/** Who may send voice messages: docs/protocol.md section 6. */
export function VoiceForm(): ReactElement {
  const [value, set] = useSection("voice");
  const some = value.enabled;
  return (
    <div className="a-form">
      <Toggle
        label={voice.enabled}
        hint={voice.enabledHint}
        value={value.enabled}
        set={(enabled) => set({ ...value, enabled })}
      />
      {(["consumers", "agents", "managers"] as const).map((who) => (
        <Toggle
          key={who}
          label={voice[who]}
          disabled={!some}
          value={value[who]}
          set={(on) => set({ ...value, [who]: on })}
        />
      ))}
      <fieldset disabled={!some}>
        <legend>{voice.channels}</legend>
        {Object.entries(value.channels).map(([channel, on]) => (
          <Toggle
            key={channel}
            label={voice.channelNames[channel] ?? channel}
            disabled={!some}
            value={on}
            set={(next) => set({ ...value, channels: { ...value.channels, [channel]: next } })}
          />
        ))}
      </fieldset>
      <div className="grid">
        <DurationField
          label={voice.maxSeconds}
          at="maxSeconds"
          value={value.maxSeconds}
          set={(v) => set({ ...value, maxSeconds: v ?? NaN })}
        />
        <NumberField
          label={voice.keep}
          at="keep"
          unit={voice.keepUnit}
          value={value.keep}
          set={(keep) => set({ ...value, keep })}
        />
      </div>
      <Toggle
        label={voice.originals}
        hint={voice.originalsHint}
        value={value.originals}
        set={(originals) => set({ ...value, originals })}
      />
    </div>
  );
}

interface Revision {
  readonly v: number;
  readonly at: number;
  readonly byName: string;
  readonly section: string;
  readonly undoes: boolean;
}

const past = settingsTexts.history;

/** Asks for page after page of a list that grows downwards. */
function usePages<T>(
  path: string,
  name: string,
  read: (v: unknown) => T | undefined,
  before: (item: T) => number,
  again: unknown,
): {
  readonly items: readonly T[] | undefined;
  readonly more: boolean;
  readonly failed: boolean;
  readonly older: () => void;
} {
  const ask = useAsk();
  const [items, setItems] = useState<readonly T[] | undefined>();
  const [more, setMore] = useState(false);
  const [failed, setFailed] = useState(false);
  const fetch = useCallback((held: readonly T[]): void => {
    const last = held[held.length - 1];
    ask("GET", last === undefined ? `${path}?limit=50` : `${path}?limit=50&before=${before(last)}`).then((json) => {
      setItems([...held, ...list(json[name], read)]);
      setMore(json["more"] === true);
      setFailed(false);
    }, () => setFailed(true));
  }, [ask, path, name]);
  useEffect(() => fetch([]), [fetch, again]);
  return { items, more, failed, older: () => fetch(items ?? []) };
}

/** Who changed what, and the way back. */
export function History(): ReactElement {
  const { state } = useSettings();
  const { items, more, failed, older } = usePages(
    "/v1/centre/history",
    "revisions",
    parseRevision,
    ({ v }) => v,
    state.centre?.v,
  );
  if (failed && items === undefined) return <p className="bad">{settingsTexts.failed}</p>;
  if (items === undefined) return <p className="a-hint">{settingsTexts.loading}</p>;
  if (items.length === 0) return <p className="a-empty">{past.empty}</p>;
  return (
    <>
      <ol className="revisions">{items.map((revision) => <RevisionRow key={revision.v} revision={revision} />)}</ol>
      {more && <button type="button" className="button" onClick={older}>{past.more}</button>}
    </>
  );
}

function parseRevision(v: unknown): Revision | undefined {
  if (!isObject(v)) return undefined;
  const n = number(v["v"]);
  return n === undefined ? undefined : {
    v: n,
    at: number(v["at"]) ?? 0,
    byName: string(v["byName"]) ?? string(v["by"]) ?? "",
    section: string(v["section"]) ?? "",
    undoes: v["undoes"] !== undefined && v["undoes"] !== false,
  };
}

function RevisionRow({ revision }: { revision: Revision }): ReactElement {
  const ask = useAsk();
  const toast = useToast();
  const names = useNames();
  const { editor } = useSettings();
  const [open, setOpen] = useState(false);
  const [lines, setLines] = useState<readonly string[] | undefined>();
  const [busy, setBusy] = useState(false);
  const section = settingsTexts.sections[revision.section]?.[0] ?? revision.section;
  const show = (): void => {
    setOpen(!open);
    if (lines === undefined) {
      ask("GET", `/v1/centre/history/${revision.v}`).then(
        (json) => setLines(describeChanges(revision.section, json["before"], json["after"], names)),
        () => setLines([settingsTexts.failed]),
      );
    }
  };
  const undo = (): void => {
    setBusy(true);
    void editor.undo(revision.v).then((code) => {
      setBusy(false);
      if (code === undefined) toast(settingsTexts.save.undone({ name: section }));
      else toast(code === "stale" ? past.stale : settingsTexts.save.refused[code] ?? settingsTexts.save.other, true);
    });
  };
  const who = actorName(revision.byName);
  return (
    <li className="revision">
      <span className="revision-what">
        <span dir="auto">{revision.undoes ? past.tookBack({ who, section }) : past.changed({ who, section })}</span>
        <time>{dateTimeText(revision.at)}</time>
      </span>
      <span className="revision-do">
        <button type="button" className="link" aria-expanded={open} onClick={show}>{past.show}</button>
        <button
          type="button"
          className="button"
          disabled={busy}
          aria-label={`${past.undo}: ${past.changed({ who, section })}, ${dateTimeText(revision.at)}`}
          onClick={undo}
        >
          {past.undo}
        </button>
      </span>
      {open && (
        <ul className="lines">
          {lines === undefined
            ? <li>{settingsTexts.loading}</li>
            : lines.length === 0
            ? <li>{past.nothing}</li>
            : lines.map((line, i) => <li key={i} dir="auto">{line}</li>)}
        </ul>
      )}
    </li>
  );
}

interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly by: string;
  readonly what: string;
  readonly conversation: string | undefined;
  readonly detail: string;
}

const log = settingsTexts.audit;

/** Somebody's name; or who is no person. */
const actorName = (
  name: string,
): string => (name === "operator" ? log.operator : name === "" || name === "earshot" ? log.earshot : name);

/** What was noted for good. */
export function Audit(): ReactElement {
  const { state } = useSettings();
  const { items, more, failed, older } = usePages("/v1/audit", "entries", parseEntry, ({ id }) => id, 0);
  const who = (by: string): string => state.people.find(({ id }) => id === by)?.name ?? actorName(by);
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
                <td dir="auto">{who(by)}</td>
                <td>{log.whats[what] ?? what}</td>
                <td>
                  {conversation !== undefined && <a href={`#/all/${conversation}`}>{conversation.slice(0, 6)}…</a>}
                </td>
                <td dir="auto">{detail}</td>
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

export const isSection = (name: string): name is Section =>
  name in settingsTexts.sections && name !== "voice" && name !== "history" && name !== "audit";
