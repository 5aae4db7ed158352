/** The brand's settings that apply to this client (docs/protocol.md section 6). */
import { read } from "./shapes";
import type { WireSettings } from "../../protocol/frames";
import { settings } from "../../protocol/shapes";

/** The settings of version `v`, which rises with every change; 0 before the server said any. */
export type Settings = WireSettings;

/**
 * Settings of voice messages: whether they may be sent (earlier ones can be played in any case), the longest one in
 * milliseconds, and how many a consumer's device keeps to play without a network.
 */
export type AudioSettings = Settings["audio"];

/** Why voice messages are off: for everyone, for people like me, or on this channel. */
export type VoiceOff = NonNullable<AudioSettings["why"]>;

/** The settings before the server sent its own. Everything is on: the server refuses what is not allowed. */
export const DEFAULT_SETTINGS: Settings = { v: 0, audio: { on: true, ms: 120_000, keep: 20 } };

/** Reads the settings that come with a sign-in. */
export const parseSettings = (v: unknown): Settings => read(settings, v) ?? DEFAULT_SETTINGS;

/** The newer of two settings: an HTTP response may be older than what the socket sent since. */
export const newerSettings = (held: Settings, received: Settings): Settings => (received.v >= held.v ? received : held);
