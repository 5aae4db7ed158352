import { type ReactElement, useState } from "react";
import { isObject, number, string } from "../../../client/core/parse";
import { useToast } from "../../app/page-context";
import { useWorkspace } from "../../app/session-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { dateTimeText } from "../../ui/format";
import { describeChanges } from "../describe-changes";
import { useAsk, useNames, useSettings } from "../settings-context";
import { sectionsFor } from "../sections/sections";
import { log } from "./audit";
import { usePages } from "./paged-list";

interface Revision {
  readonly v: number;
  readonly at: number;
  readonly byName: string;
  readonly section: string;
  readonly undoes: boolean;
}

const past = settingsTexts.history;

/** The changes of the settings, with a button to undo each. */
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
  const isOffered = sectionsFor(useWorkspace().identity).some((one) => one === revision.section);
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
        {isOffered && (
          <button
            type="button"
            className="button"
            disabled={busy}
            aria-label={`${past.undo}: ${past.changed({ who, section })}, ${dateTimeText(revision.at)}`}
            onClick={undo}
          >
            {past.undo}
          </button>
        )}
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

/** The name of a person, of the operator or of Earshot itself. */
export const actorName = (
  name: string,
): string => (name === "operator" ? log.operator : name === "" || name === "earshot" ? log.earshot : name);

