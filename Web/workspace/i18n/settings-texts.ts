import { compiled } from "./compile";
import settings from "./en/settings";

/** The texts of the settings. */
export const settingsTexts = compiled(settings);
