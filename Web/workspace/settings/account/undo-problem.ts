/** Why a change can't be undone, in a sentence that says what is missing and where. Pure. */
import { isObject, string } from "../../../client/core/parse";
import { settingsTexts } from "../../i18n/settings-texts";
import { itemName, type Names } from "../describe-changes";

const past = settingsTexts.history;

/** What is known of a refusal. */
interface Refusal {
  readonly code: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** - `value`: the value that undoing would have brought back. */
export function undoProblem(refusal: Refusal, value: unknown, names: Names): string {
  if (refusal.code === "stale") return past.stale;
  if (refusal.code === "unknown_skill" || refusal.code === "unknown_agent") {
    const { item, leaf } = follow(value, string(refusal.body["at"]) ?? "");
    const id = string(leaf);
    if (item !== undefined && id !== undefined) {
      return refusal.code === "unknown_skill"
        ? past.noSkill({ item: itemName(item, names), skill: id })
        : past.noPerson({ item: itemName(item, names) });
    }
  }
  return settingsTexts.save.refused[refusal.code] ?? settingsTexts.save.other;
}

/** The item of a section that a path like `rules[2].skill` leads through, and the value at its end. */
function follow(value: unknown, path: string): { item?: Readonly<Record<string, unknown>>; leaf: unknown } {
  const [, ...steps] = path.split(/[.[\]]+/u).filter((step) => step !== "");
  let [item, leaf]: [Readonly<Record<string, unknown>> | undefined, unknown] = [undefined, value];
  for (const step of steps) {
    leaf = Array.isArray(leaf) ? leaf[Number(step)] : isObject(leaf) ? leaf[step] : undefined;
    if (item === undefined && isObject(leaf)) item = leaf;
  }
  return { ...(item === undefined ? {} : { item }), leaf };
}
