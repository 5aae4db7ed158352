import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { type Filter, saveViews, type View, views } from "../../client/agent/agent-api";
import { request } from "../app/agent-session";
import { useToast } from "../app/page-context";
import { useNameOf, useWorkspace } from "../app/session-context";
import { Icon } from "../ui/icons";
import { go } from "../app/route";
import { dialogTexts } from "../i18n/dialog-texts";

const text = dialogTexts.views;

/** The person's saved searches, and those that colleagues share. */
export default function SavedViews({ chosen }: { chosen: () => void }): ReactElement {
  const { csrf, ui } = useWorkspace();
  const toast = useToast();
  const nameOf = useNameOf();
  const [all, setAll] = useState<readonly View[] | "failed" | undefined>();
  useEffect(() => {
    views(request).then(setAll, () => setAll("failed"));
  }, []);
  const open = ({ filter }: View): void => {
    ui.search.prepare(filter);
    chosen();
    go({ tab: "search", c: undefined, card: false });
  };
  const remove = (gone: View): void => {
    if (!Array.isArray(all)) return;
    const rest = (all as readonly View[]).filter(({ id }) => id !== gone.id);
    saveViews(request, csrf(), rest.filter(({ by }) => by === undefined)).then(
      () => setAll(rest),
      () => toast(dialogTexts.search.notSaved, true),
    );
  };
  return (
    <div className="views" role="group" aria-label={text.title}>
      <p className="menu-title">{text.title}</p>
      {all === "failed" && <p className="hint">{text.failed}</p>}
      {Array.isArray(all) && all.length === 0 && <p className="hint">{text.none}</p>}
      {Array.isArray(all) &&
        (all as readonly View[]).map((view) => (
          <div key={`${view.by ?? ""} ${view.id}`} className="view">
            <button className="menu-item" onClick={() => open(view)}>
              <Icon name="search" />
              <span>
                {view.name}
                {view.by !== undefined && <small>{text.sharedBy({ name: nameOf(view.by) })}</small>}
              </span>
            </button>
            {view.by === undefined && (
              <button
                className="icon-button"
                aria-label={text.remove({ name: view.name })}
                onClick={() => remove(view)}
              >
                <Icon name="close" />
              </button>
            )}
          </div>
        ))}
    </div>
  );
}

/** Saves the current search under a name. */
export function SaveView({ filter }: { filter: Filter }): ReactElement {
  const { csrf } = useWorkspace();
  const toast = useToast();
  const [name, setName] = useState<string | undefined>();
  const [shared, setShared] = useState(false);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const trimmed = (name ?? "").trim();
    if (trimmed === "") return;
    try {
      const mine = (await views(request)).filter(({ by }) => by === undefined);
      await saveViews(request, csrf(), [...mine, { id: newID(), name: trimmed, shared, filter }]);
      toast(dialogTexts.search.saved);
      setName(undefined);
    } catch {
      toast(dialogTexts.search.notSaved, true);
    }
  };
  if (name === undefined) {
    return (
      <button
        type="button"
        className="button"
        disabled={Object.keys(filter).length === 0}
        onClick={() => setName("")}
      >
        {dialogTexts.search.save}
      </button>
    );
  }
  return (
    <div className="save-view">
      <input
        className="field"
        autoFocus
        value={name}
        maxLength={60}
        aria-label={dialogTexts.search.name}
        placeholder={dialogTexts.search.name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") void save(event);
          if (event.key === "Escape") {
            event.stopPropagation();
            setName(undefined);
          }
        }}
      />
      <label>
        <input type="checkbox" checked={shared} onChange={(event) => setShared(event.target.checked)} />{" "}
        {dialogTexts.search.share}
      </label>
      <button type="button" className="button button-main" onClick={(event) => void save(event)}>
        {dialogTexts.search.save}
      </button>
    </div>
  );
}

/** 128 random bits, as the protocol writes ids. */
function newID(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/u, "");
}
