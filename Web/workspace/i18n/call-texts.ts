import { compiled } from "./compile";
import calls from "./en/calls";

/** The texts of calls. */
export const callTexts = compiled(calls);
