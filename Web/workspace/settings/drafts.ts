/** What the server's refusals say about drafts, and the drafts that a tab kept. Pure. */
import { HTTPProblem } from "../../client/core/api";
import { isObject } from "../../client/core/parse";
import type { EditableSection, SettingsState } from "./settings-editor";
import { SECTIONS } from "./settings-model";
import { type Problem, refusedField } from "./validation";

/** A refusal of the server; `network` where no answer came. */
export function problemOf(error: unknown): HTTPProblem {
  return error instanceof HTTPProblem ? error : new HTTPProblem(0, "network", "");
}

/** The problem of the field that a refusal is about. */
export function fieldsOf(part: EditableSection, value: unknown, refusal: HTTPProblem | undefined): readonly Problem[] {
  const problem = refusal && refusedField(part, value, refusal);
  return problem === undefined ? [] : [problem];
}

/** Reads what `DraftStorage` kept. */
export function storedDrafts(text: string | null): SettingsState["drafts"] {
  try {
    const kept: unknown = JSON.parse(text ?? "{}");
    const parts: readonly string[] = [...SECTIONS, "voice", "privacy", "calls"];
    return Object.fromEntries(
      Object.entries(isObject(kept) ? kept : {}).filter(([part, draft]) =>
        parts.includes(part) && isObject(draft) && "value" in draft
      ),
    );
  } catch {
    return {};
  }
}
