import { compiled } from "./compile";
import wall from "./en/wall";

/** The texts of the live wall. */
export const wallTexts = compiled(wall);
