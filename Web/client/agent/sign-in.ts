/** Signing in and out, and tickets for the socket: the agent's HTTP half of docs/protocol.md, section 1. */

import { call, HTTPProblem, parseLimits, type Fetch, type Limits } from "../core/api";
import { isObject, list, number, string, type Json } from "../core/parse";
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
  readonly secondFactor: {
    readonly on: boolean;
    /** The brand requires one: without it, nothing but its set-up is open. */
    readonly required: boolean;
    /** After signing in with a recovery code: how many are left. */
    readonly recoveryCodesLeft?: number;
  };
}

/** Why a request was refused: the server's code, or `network` where no answer came at all. */
export interface Refusal {
  readonly code: string;
  /** Seconds after which another try makes sense. */
  readonly retryAfter?: number;
}

/** A value, or why the request was refused. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Who signs in. */
export interface Credentials {
  readonly account: string;
  readonly email: string;
  readonly password: string;
  /** The code of the second factor, once the server asked for it. */
  readonly code?: string;
}

/** Asks for a session. A person with a second factor is asked for a code: then the same is sent again with it. */
export function signIn(fetch: Fetch, credentials: Credentials): Promise<Answer<Session>> {
  return ask(parseSession, () => call(fetch, "POST", "/v1/login", {}, credentials));
}

/** Whether a session opens nothing but the set-up of a second factor. */
export function mustSetUp({ secondFactor }: Session): boolean {
  return secondFactor.required && !secondFactor.on;
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

/** What a person sets with a password link. */
export interface JoinRequest {
  readonly token: string;
  readonly password: string;
  /** What an invited person wants to be called. */
  readonly name?: string;
  /** The code of the second factor, once the server asked for it. */
  readonly code?: string;
}

/** Sets the password with a link, and asks for a session. */
export function join(fetch: Fetch, body: JoinRequest): Promise<Answer<Session>> {
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

/** Reads the answer to a sign-in. */
export function parseSession(json: Json): Session | undefined {
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
    secondFactor: parseStanding(json["secondFactor"]),
  };
}

function parseStanding(v: unknown): Session["secondFactor"] {
  if (!isObject(v)) return { on: false, required: false };
  const left = number(v["recoveryCodesLeft"]);
  return {
    on: v["on"] === true,
    required: v["required"] === true,
    ...(left === undefined ? {} : { recoveryCodesLeft: left }),
  };
}

/** Runs a request. A refusal, and an answer that cannot be read, become values. */
export async function ask<T>(read: (json: Json) => T | undefined, run: () => Promise<Json>): Promise<Answer<T>> {
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
