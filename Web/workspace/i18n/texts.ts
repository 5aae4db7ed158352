import base from "./en/base";
import { compiled } from "./compile";

/*
 * The catalogue. A language is a folder of data (`en/`), in four files because the texts of the dialogs, the settings
 * and the wall are fetched with them. To translate, translate the strings of the folder.
 *
 * - `{name}` is replaced by a value. Code that shows the text passes the values by name.
 * - `{ one: "…", other: "…" }` has one text per plural form of the language (Intl.PluralRules), chosen by `count`.
 * - `{{` and `}}` are braces that are shown.
 */

/** The texts that the workspace shows at load. */
export const texts = compiled(base);
