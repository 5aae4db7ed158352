import { compiled } from "./compile";
import dialogs from "./en/dialogs";

/** The texts of the dialogs, the search and the keyboard shortcuts. */
export const dialogTexts = compiled(dialogs);
