import { settingsTexts } from "../../i18n/settings-texts";

const { operator, earshot } = settingsTexts.audit;

/** The name of a person, of the operator or of Earshot itself. */
export const actorName = (name: string): string =>
  name === "operator" ? operator : name === "" || name === "earshot" ? earshot : name;
