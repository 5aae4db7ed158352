import { type ReactElement, useEffect, useId, useRef, useState } from "react";
import { isObject, number, string } from "../../../client/core/parse";
import { useToast } from "../../app/page-context";
import { useWorkspace } from "../../app/session-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { dateTimeText } from "../../ui/format";
import { describeChanges } from "../describe-changes";
import { useAsk, useNames, useSettings } from "../settings-context";
import { sectionsFor } from "../sections/sections";
import { actorName } from "./actor-name";
import { usePages } from "./paged-list";
import { undoProblem } from "./undo-problem";

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

/** The value of a section before and after a revision. */
interface Values {
  readonly before: unknown;
  readonly after: unknown;
}

type Panel = "changes" | "undo" | undefined;

function RevisionRow({ revision }: { revision: Revision }): ReactElement {
  const isOffered = sectionsFor(useWorkspace().identity).some((one) => one === revision.section);
  const [panel, setPanel] = useState<Panel>();
  const undoButton = useRef<HTMLButtonElement>(null);
  const section = settingsTexts.sections[revision.section]?.[0] ?? revision.section;
  const who = actorName(revision.byName);
  const toggle = (next: Panel): void => setPanel(panel === next ? undefined : next);
  const keep = (): void => {
    setPanel(undefined);
    undoButton.current?.focus();
  };
  return (
    <li className="revision">
      <span className="revision-what">
        <span dir="auto">{revision.undoes ? past.tookBack({ who, section }) : past.changed({ who, section })}</span>
        <time>{dateTimeText(revision.at)}</time>
      </span>
      <span className="revision-do">
        <button type="button" className="link" aria-expanded={panel === "changes"} onClick={() => toggle("changes")}>
          {past.show}
        </button>
        {isOffered && (
          <button
            type="button"
            className="button"
            ref={undoButton}
            aria-expanded={panel === "undo"}
            aria-label={`${past.undo}: ${past.changed({ who, section })}, ${dateTimeText(revision.at)}`}
            onClick={() => toggle("undo")}
          >
            {past.undo}…
          </button>
        )}
      </span>
      {panel === "changes" && <Changes revision={revision} />}
      {panel === "undo" && <Undo revision={revision} section={section} keep={keep} />}
    </li>
  );
}

/** Fetches the values of a revision; `null` where that failed. */
function useValues({ v }: Revision): Values | null | undefined {
  const ask = useAsk();
  const [values, setValues] = useState<Values | null | undefined>();
  useEffect(() => {
    ask("GET", `/v1/centre/history/${v}`).then(
      (json) => setValues({ before: json["before"], after: json["after"] }),
      () => setValues(null),
    );
  }, [ask, v]);
  return values;
}

function Changes({ revision }: { revision: Revision }): ReactElement {
  const names = useNames();
  const values = useValues(revision);
  return <Lines lines={values && describeChanges(revision.section, values.before, values.after, names)} />;
}

function Lines({ lines }: { lines: readonly string[] | null | undefined }): ReactElement {
  return (
    <ul className="lines">
      {lines === undefined
        ? <li>{settingsTexts.loading}</li>
        : lines === null
        ? <li>{settingsTexts.failed}</li>
        : lines.length === 0
        ? <li>{past.nothing}</li>
        : lines.map((line, i) => <li key={i} dir="auto">{line}</li>)}
    </ul>
  );
}

/** Says what undoing a revision will change, and asks whether to do it. */
function Undo(
  { revision, section, keep }: { revision: Revision; section: string; keep: () => void },
): ReactElement {
  const names = useNames();
  const { editor } = useSettings();
  const toast = useToast();
  const values = useValues(revision);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  const title = useId();
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus(), []);
  const undo = (): void => {
    setBusy(true);
    void editor.undo(revision.v).then((refusal) => {
      setBusy(false);
      if (refusal !== undefined) return setProblem(undoProblem(refusal, values?.before, names));
      toast(settingsTexts.save.undone({ name: section }));
      keep();
    });
  };
  return (
    <div className="revision-undo" role="group" aria-labelledby={title}>
      <p id={title}>{past.asks({ section })}</p>
      <Lines lines={values && describeChanges(revision.section, values.after, values.before, names)} />
      {problem !== undefined && <p className="bad" role="alert">{problem}</p>}
      <div>
        <button type="button" className="button button-main" ref={confirm} disabled={busy} onClick={undo}>
          {past.confirm}
        </button>
        <button type="button" className="button" onClick={keep}>{past.keep}</button>
      </div>
    </div>
  );
}
