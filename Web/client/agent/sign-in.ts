/** Signing in and out, and tickets for the socket: the agent's HTTP half of docs/protocol.md, section 1. */

import { call, HTTPProblem, parseLimits, type Fetch, type Limits } from "../core/api";
import { isObject, list, string, type Json } from "../core/parse";
import { parseSettings, type Settings } from "../core/settings";

/** Who is signed in. */
export interface Session {
  readonly agent: {
    readonly id: string;
    readonly name: string;
    readonly role: string;
    readonly permissions: readonly string[];
  };
  readonly account: { readonly id: string; readonly name: string };
  /** Goes into the header of every request that changes something. */
  readonly csrf: string;
  readonly limits: Limits;
  readonly settings: Settings;
}

/** Why a request was refused: the server's code, or `network` where no answer came at all. */
export interface Refusal {
  readonly code: string;
  /** Seconds after which another try makes sense. */
  readonly retryAfter?: number;
}

/** A value, or why the request was refused. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Asks for a session with a password. */
export function signIn(fetch: Fetch, account: string, email: string, password: string): Promise<Answer<Session>> {
  return ask(parseSession, () => call(fetch, "POST", "/v1/login", {}, { account, email, password }));
}

/** What a password link is for. */
export interface LinkPurpose {
  /** The brand's id, to sign in with, and its name. */
  readonly account: string;
  readonly brand: string;
  readonly name: string;
  readonly email: string;
  /** The person joins with it; otherwise it replaces a password. */
  readonly invited: boolean;
}

/** Asks what a link is for. */
export function linkPurpose(fetch: Fetch, token: string): Promise<Answer<LinkPurpose>> {
  return ask(parsePurpose, () => call(fetch, "POST", "/v1/join/purpose", {}, { token }));
}

/** Sets the password with a link, and asks for a session. `name`: what an invited person wants to be called. */
export function join(fetch: Fetch, token: string, password: string, name?: string): Promise<Answer<Session>> {
  const body = name === undefined ? { token, password } : { token, password, name };
  return ask(parseSession, () => call(fetch, "POST", "/v1/join", {}, body));
}

/** The session that the cookie carries, if it is still good. */
export function currentSession(fetch: Fetch): Promise<Answer<Session>> {
  return ask(parseSession, () => call(fetch, "GET", "/v1/session", {}));
}

/** Ends the session on the server. */
export function signOut(fetch: Fetch, csrf: string): Promise<Answer<Json>> {
  return ask((json) => json, () => call(fetch, "POST", "/v1/logout", proof(csrf)));
}

/** Changes one's own password, and ends one's other sessions. */
export function changePassword(fetch: Fetch, csrf: string, old: string, next: string): Promise<Answer<Json>> {
  return ask((json) => json, () => call(fetch, "POST", "/v1/password", proof(csrf), { old, new: next }));
}

/** A ticket: opens one socket, once, within a minute. */
export function ticket(fetch: Fetch, csrf: string): Promise<Answer<string>> {
  return ask((json) => string(json["ticket"]), () => call(fetch, "POST", "/v1/tickets", proof(csrf)));
}

/** The header that an agent's request that changes something carries next to the cookie. */
export function proof(csrf: string): Record<string, string> {
  return { "x-earshot-csrf": csrf };
}

function parsePurpose(json: Json): LinkPurpose | undefined {
  const [account, brand] = [string(json["account"]), string(json["brand"])];
  const [name, email] = [string(json["name"]), string(json["email"])];
  if (account === undefined || brand === undefined || name === undefined || email === undefined) return undefined;
  return { account, brand, name, email, invited: json["invited"] === true };
}

function parseSession(json: Json): Session | undefined {
  const { agent, account } = json;
  const csrf = string(json["csrf"]);
  if (!isObject(agent) || !isObject(account) || csrf === undefined) return undefined;
  const [id, accountID] = [string(agent["id"]), string(account["id"])];
  if (id === undefined || accountID === undefined) return undefined;
  return {
    agent: {
      id, name: string(agent["name"]) ?? "", role: string(agent["role"]) ?? "", permissions: list(
        agent["permissions"], string,
      ),
    },
    account: { id: accountID, name: string(account["name"]) ?? accountID },
    csrf,
    limits: parseLimits(json["limits"]),
    settings: parseSettings(json["settings"]),
  };
}

async function ask<T>(read: (json: Json) => T | undefined, run: () => Promise<Json>): Promise<Answer<T>> {
  try {
    const value = read(await run());
    return value === undefined ? { ok: false, refusal: { code: "unavailable" } } : { ok: true, value };
  } catch (error) {
    if (error instanceof HTTPProblem) return { ok: false, refusal: refusal(error) };
    throw error;
  }
}

/** A response from a proxy carries no code of ours. Its status still tells the kind of problem. */
function refusal({ status, code, retryAfter }: HTTPProblem): Refusal {
  const known = code !== "" ? code : status === 401 ? "not_signed_in" : "unavailable";
  return retryAfter === undefined ? { code: known } : { code: known, retryAfter: Math.ceil(retryAfter / 1000) };
}
