import { createContext, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { may } from "../../client/agent/permissions";
import { list } from "../../client/core/parse";
import { useSessionState, useWorkspace } from "../app/session-context";
import type { Ask, EditableSection, EditableSections, SettingsEditor, SettingsState } from "./settings-editor";
import type { BrandEditor } from "./brand/brand-editor";
import type { Names } from "./describe-changes";
import { profileOf } from "./profiles/profile";
import { settingsTexts } from "../i18n/settings-texts";

/** The item that is open. */
export const OpenContext = createContext<readonly [string | undefined, (id: string | undefined) => void]>([
  undefined,
  () => {},
]);

const SettingsContext = createContext<SettingsEditor | undefined>(undefined);
export const SettingsProvider = SettingsContext.Provider;

export function useSettings(): { readonly editor: SettingsEditor; readonly state: SettingsState } {
  const editor = useContext(SettingsContext);
  if (editor === undefined) throw new Error("useSettings outside of SettingsProvider");
  return { editor, state: useSyncExternalStore(editor.store.subscribe, editor.store.get) };
}

/** A section as it is being edited, and a function to change it. */
export function useSection<P extends EditableSection>(
  part: P,
): readonly [EditableSections[P], (value: EditableSections[P]) => void] {
  const { editor } = useSettings();
  return [editor.value(part), (value) => editor.change(part, value)];
}

const BrandContext = createContext<BrandEditor | undefined>(undefined);
export const BrandProvider = BrandContext.Provider;

/** The brand being edited; the component renders again when it changes. */
export function useBrand(): { readonly editor: BrandEditor; readonly state: ReturnType<BrandEditor["store"]["get"]> } {
  const editor = useContext(BrandContext);
  if (editor === undefined) throw new Error("useBrand outside of BrandProvider");
  return { editor, state: useSyncExternalStore(editor.store.subscribe, editor.store.get) };
}

type Options = readonly (readonly [string, string])[];

/** The skills as options of a select, including unsaved ones. */
export function useSkills(none?: string): Options {
  const { editor } = useSettings();
  const skills = editor.value("skills").map(({ id, name }) => [id, name || settingsTexts.item.unnamed] as const);
  return none === undefined ? skills : [["", none], ...skills];
}

/** Names for ids, including unsaved ones. */
export function useNames(): Names {
  const { editor, state } = useSettings();
  const named = (list: readonly { readonly id: string; readonly name: string }[] | undefined) => (id: string): string =>
    list?.find((one) => one.id === id)?.name ?? id;
  return { skill: named(editor.value("skills")), hours: named(editor.value("hours")), agent: named(state.people) };
}

/** The number of problems in the fields of an item. */
export const problemCount = (problems: readonly { readonly at: string }[], id: string): number =>
  problems.filter(({ at }) => at.startsWith(`${id}.`)).length;

const AskContext = createContext<Ask | undefined>(undefined);
export const AskProvider = AskContext.Provider;

/** A function that sends a request as the signed-in person. */
export function useAsk(): Ask {
  const ask = useContext(AskContext);
  if (ask === undefined) throw new Error("useAsk outside of AskProvider");
  return ask;
}

/** The people whose profile does not let them answer, as routing knows them. */
export function useReadOnlyPeople(): ReadonlySet<string> {
  const { session } = useWorkspace();
  const { team } = useSessionState();
  useEffect(() => session.topics.subscribe("team"), [session]);
  return useMemo(() => new Set(team?.filter(({ readOnly }) => readOnly === true).map(({ id }) => id)), [team]);
}

/** Names for the ids of the brand's profiles; those who may not change people know none. */
export function useProfileNames(): (id: string) => string | undefined {
  const ask = useAsk();
  const isAllowed = may(useWorkspace().identity, "people.change");
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (!isAllowed) return;
    ask("GET", "/v1/profiles").then(
      (json) => setNames(new Map(list(json["profiles"], profileOf).map(({ id, name }) => [id, name]))),
      () => {},
    );
  }, [ask, isAllowed]);
  return (id) => names.get(id);
}
