/** A consumer's sounds together with the device that keeps them. */
import { AudioCache } from "../storage/audio-cache";
import { AudioSource } from "./audio-source";
import type { Access } from "./audio-source";

export const retention = (access: () => Access): AudioSource => new AudioSource(access, new AudioCache());
