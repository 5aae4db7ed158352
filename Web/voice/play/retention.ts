/** A consumer's sounds together with the device that keeps them. */
import { Shelf } from "../storage/audio-cache";
import { Sounds } from "./audio-source";
import type { Access } from "./audio-source";

export const keeping = (access: () => Access): Sounds => new Sounds(access, new Shelf());
