/** An agent's own sessions, and the blocking and signing out of consumers: docs/protocol.md, section 1. */
import { proof } from "./sign-in";
import { call, type Fetch } from "../core/api";
import { compact, isObject, list, number, string } from "../core/parse";

/** One browser in which the person is signed in. */
export interface OwnSession {
  readonly id: string;
  /** When the person signed in; absent for sessions from before the server noted it. */
  readonly since?: number;
  readonly expires: number;
  /** When it was used last, to a few minutes. */
  readonly used?: number;
  /** The browser and its platform, such as "Chrome on Linux". */
  readonly device?: string;
  /** The session of this page. */
  readonly current: boolean;
}

/** Loads the person's own sessions, the newest first. */
export async function ownSessions(fetch: Fetch): Promise<readonly OwnSession[]> {
  return list((await call(fetch, "GET", "/v1/sessions", {}))["sessions"], parseOwnSession);
}

/** Ends one of the person's own sessions. */
export async function endSession(fetch: Fetch, csrf: string, id: string): Promise<void> {
  await call(fetch, "DELETE", `/v1/sessions/${encodeURIComponent(id)}`, proof(csrf));
}

/** Whether the consumer of a conversation is blocked. */
export async function isBlocked(fetch: Fetch, c: string): Promise<boolean> {
  return (await call(fetch, "GET", blockPath(c), {}))["blocked"] === true;
}

/** Blocks the consumer of a conversation, or lifts the block. */
export async function setBlocked(fetch: Fetch, csrf: string, c: string, blocked: boolean): Promise<void> {
  await call(fetch, "PUT", blockPath(c), proof(csrf), { blocked });
}

/** Signs the consumer of a conversation out everywhere. */
export async function signOutConsumer(fetch: Fetch, csrf: string, c: string): Promise<void> {
  await call(fetch, "POST", `/v1/conversations/${encodeURIComponent(c)}/sign-out`, proof(csrf), {});
}

const blockPath = (c: string): string => `/v1/conversations/${encodeURIComponent(c)}/block`;

function parseOwnSession(v: unknown): OwnSession | undefined {
  if (!isObject(v)) return undefined;
  const [id, expires] = [string(v["id"]), number(v["expires"])];
  if (id === undefined || expires === undefined) return undefined;
  return compact<OwnSession>({
    id, expires, current: v["current"] === true, since: number(v["since"]), used: number(v["used"]),
    device: string(v["device"]),
  });
}
