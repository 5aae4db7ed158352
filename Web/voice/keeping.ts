/** A consumer's sounds together with the device that keeps them. */
import { Shelf } from "./shelf";
import { Sounds } from "./sounds";
import type { Access } from "./sounds";

export const keeping = (access: () => Access): Sounds => new Sounds(access, new Shelf());
