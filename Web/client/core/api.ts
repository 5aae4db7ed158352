/** The HTTP half of docs/protocol.md for consumers. `fetch` is an argument, credentials are headers. */
import { isObject, number, string } from "./parse";
import type { Json } from "./parse";
import { parseSettings } from "./settings";
import type { Settings } from "./settings";

/** A refusal by the server (with its stable code), or no answer at all (`status` 0, code `network`). */
export class HTTPProblem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    text: string,
    readonly body: Json = {},
  ) {
    super(text);
  }

  /** Milliseconds that the server asked to wait. */
  get retryAfter(): number | undefined {
    const seconds = number(this.body["retryAfter"]);
    return seconds === undefined ? undefined : seconds * 1000;
  }

  /** Whether the same request may succeed later: no network, or the server is busy, draining or failing. */
  get passes(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || (
      this.status >= 500 && this.status !== 507
    );
  }
}

/** The browser's `fetch`, as an argument. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** Headers that authenticate a request: a bearer token for consumers, a CSRF value next to the cookie for agents. */
export type Credentials = () => Record<string, string>;

/** How the brand presents itself in the widget. */
export interface Brand {
  readonly name: string;
  readonly color: string;
  readonly welcome: string;
  /** Where the logo is; `undefined` where the brand has none. */
  readonly logo: string | undefined;
}

/** Limits that the server announces. */
export interface Limits {
  /** Unicode scalars in a text. */
  readonly text: number;
}

/**
 * The limits before the server sent its own. The longest voice message is a setting, because it can change while a page
 * is open.
 */
export const DEFAULT_LIMITS: Limits = { text: 2000 };

/** A consumer, as the server created it. */
export interface Consumer {
  readonly token: string;
  readonly consumer: string;
  readonly conversation: string;
  readonly brand: Brand;
  readonly limits: Limits;
  readonly settings: Settings;
}

/** Calls a JSON route. Throws `HTTPProblem` for everything but a 2xx. */
export async function call(
  fetch: Fetch, method: string, url: string, headers: Record<string, string>, body?: object | Blob,
): Promise<Json> {
  const binary = typeof Blob !== "undefined" && body instanceof Blob;
  const type = body === undefined ? {} : { "content-type": binary ? "application/octet-stream" : "application/json" };
  const init: RequestInit = { method, headers: { ...headers, ...type }, cache: "no-store", credentials: "same-origin" };
  if (body !== undefined) init.body = binary ? (body as Blob) : JSON.stringify(body);
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    throw new HTTPProblem(0, "network", String(error));
  }
  const json: unknown = await response.json().catch(() => ({}));
  const object = isObject(json) ? json : {};
  if (response.ok) return object;
  const problem = isObject(object["error"]) ? object["error"] : {};
  // Details of the code are next to it, such as `received` of an upload gap.
  throw new HTTPProblem(
    response.status,
    string(problem["code"]) ?? "",
    string(problem["text"]) ?? response.statusText,
    { ...object, ...problem },
  );
}

/** Reads limits; missing ones are the defaults. */
export function parseLimits(v: unknown): Limits {
  return { text: (isObject(v) ? number(v["text"]) : undefined) ?? DEFAULT_LIMITS.text };
}

/** Reads a consumer; `undefined` where it is unusable. */
export function parseConsumer(v: unknown): Consumer | undefined {
  if (!isObject(v)) return undefined;
  const [token, consumer, conversation] = [string(v["token"]), string(v["consumer"]), string(v["conversation"])];
  if (token === undefined || conversation === undefined) return undefined;
  const b = isObject(v["brand"]) ? v["brand"] : {};
  const [name, color, welcome] = [string(b["name"]) ?? "", string(b["color"]) ?? "", string(b["welcome"]) ?? ""];
  return {
    token,
    consumer: consumer ?? "",
    conversation,
    brand: { name, color, welcome, logo: string(b["logo"]) },
    limits: parseLimits(v["limits"]),
    settings: parseSettings(v["settings"]),
  };
}

/** The header of a consumer's token. */
export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

async function consumer(fetch: Fetch, url: string, headers: Record<string, string>, body?: object): Promise<Consumer> {
  const made = parseConsumer(await call(fetch, "POST", url, headers, body));
  if (!made) throw new HTTPProblem(0, "bad_answer", "The answer is not a consumer.");
  return made;
}

/** Optional fields. `undefined` is omitted. */
type Said<Name extends string> = { readonly [K in Name]?: string | undefined };

/** A new anonymous consumer. */
export const createConsumer = (
  fetch: Fetch,
  who: { account: string; app: string; pageParameters?: Readonly<Record<string, string>> | undefined }
    & Said<"page" | "language" | "zone">,
): Promise<Consumer> =>
  consumer(fetch, "/v1/consumers", {}, who);

/** The consumer of a stored token, updated with what changed on this device. */
export const returnConsumer = (
  fetch: Fetch, token: string, who: Said<"zone">,
): Promise<Consumer> => consumer(fetch, "/v1/consumers/me", bearer(token), who);
