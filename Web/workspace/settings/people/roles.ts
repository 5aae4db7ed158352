import { settingsTexts } from "../../i18n/settings-texts";

const { role, roleHint } = settingsTexts.people;

/** The built-in profiles whose people get conversations without a seat: `Role.isRoutedWithoutSeat` of the server. */
export const ROUTED_WITHOUT_SEAT: readonly string[] = ["agent"];

/** The roles as choices: each is a built-in profile, with what it is for. */
export const ROLES = Object.entries(role).map(([id, name]) => [id, name, roleHint[id] ?? ""] as const);
