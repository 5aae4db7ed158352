import { type ReactElement, type RefObject, useContext, useEffect, useRef } from "react";
import { useAnnounce, useToast } from "../app/page-context";
import type { EditableSection } from "./settings-editor";
import { describeChanges } from "./describe-changes";
import { OpenContext, useNames, useSettings } from "./settings-context";
import { settingsTexts } from "../i18n/settings-texts";

const text = settingsTexts.save;

/** Saves or discards changes, shows problems and conflicting changes by others, and offers to undo after saving. */
export function SaveBar({ part }: { part: EditableSection }): ReactElement | null {
  const { editor, state } = useSettings();
  const [, setOpen] = useContext(OpenContext);
  const names = useNames();
  const announce = useAnnounce();
  const draft = state.drafts[part];
  const name = settingsTexts.sections[part]?.[0] ?? part;
  const problems = editor.problems(part);
  const stale = editor.isStale(part);
  const refused = state.refused?.part === part ? state.refused : undefined;
  const save = async (over = false): Promise<void> => {
    if (await editor.save(part, over)) return announce(text.saved({ name }));
    const first = editor.problems(part)[0];
    if (first === undefined) return;
    setOpen(first.at.split(".")[0]);
    setTimeout(focusFirstBad, 50);
  };
  useSaveKey(draft !== undefined, () => void save(stale));
  if (draft === undefined) return <Saved part={part} name={name} />;
  return (
    <div className="save" role="region" aria-label={text.unsaved({ name })}>
      {stale && (
        <div className="stale" role="alert">
          <p>{text.changedBy}</p>
          <ul className="lines">
            {describeChanges(part, draft.base, editor.inForce(part), names).map((line, i) => (
              <li key={i} dir="auto">{line}</li>
            ))}
          </ul>
          <p className="a-hint">{text.staleHint}</p>
        </div>
      )}
      {refused !== undefined && !(stale && refused.code === "stale") && (
        <p className="bad" role="alert">
          {text.refused[refused.code] ?? `${text.other}${refused.text === "" ? "" : ` ${refused.text}`}`}
        </p>
      )}
      {problems.filter(({ isGeneral }) => isGeneral).map((problem) => (
        <p key={problem.text} className="bad" role="alert">{problem.text}</p>
      ))}
      <div className="save-row">
        <span className="save-what">
          {text.unsaved({ name })}
          {problems.length > 0 && <strong className="save-fix">· {text.fix({ count: problems.length })}</strong>}
        </span>
        <button type="button" className="button" onClick={() => editor.discard(part)}>
          {stale ? text.theirs : text.discard}
        </button>
        <button
          type="button"
          className="button button-main"
          disabled={state.saving === part}
          onClick={() => void save(stale)}
        >
          {state.saving === part ? text.saving : stale ? text.mine : text.save}
        </button>
      </div>
    </div>
  );
}

function Saved({ part, name }: { part: EditableSection; name: string }): ReactElement | null {
  const { editor, state } = useSettings();
  const toast = useToast();
  const next = useRef<HTMLElement>(null);
  const done = state.saved?.part === part ? state.saved : undefined;
  // The save button has disappeared: move the focus to Undo, or to the text where nothing can be undone.
  useEffect(() => {
    if (done !== undefined && document.activeElement === document.body) next.current?.focus({ preventScroll: true });
  }, [done]);
  if (done === undefined) return null;
  const { v } = done;
  const back = (version: number): void =>
    void editor.undo(version).then((problem) =>
      problem === undefined ? toast(text.undone({ name })) : toast(text.refused[problem.code] ?? text.other, true)
    );
  return (
    <div className="save save-done">
      <div className="save-row">
        <span ref={v === undefined ? next : undefined} className="save-what" tabIndex={-1}>{text.saved({ name })}</span>
        {v !== undefined && (
          <button
            ref={next as RefObject<HTMLButtonElement>}
            type="button"
            className="button"
            onClick={() => back(v)}
          >
            {text.undo}
          </button>
        )}
      </div>
    </div>
  );
}

function focusFirstBad(): void {
  const bad = document.querySelector<HTMLElement>(".admin-page [aria-invalid=true]") ??
    document.querySelector<HTMLElement>(".admin-page .bad");
  bad?.scrollIntoView({ block: "center" });
  bad?.focus({ preventScroll: true });
}

/** Ctrl or Cmd and S saves. */
function useSaveKey(on: boolean, save: () => void): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => {
    if (!on) return;
    const key = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) {
        return;
      }
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [on]);
}
