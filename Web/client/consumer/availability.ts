/** Whether somebody can answer a consumer who has not written yet. */
import { call } from "../core/api";
import type { Fetch } from "../core/api";
import { isObject, number } from "../core/parse";

/** What `GET /v1/availability` tells (docs/protocol.md section 4). */
export interface Availability {
  /** Within the hours, and a person who may answer is online. */
  readonly open: boolean;
  /** The opening hours, and when they begin where they have not. */
  readonly hours: { readonly open: boolean; readonly opens?: number };
  /** In how many seconds an answer to a first message would come; absent where no time is promised. */
  readonly within?: number;
}

/** Where the consumer is. Routing chooses the skill by it, and so the hours and the people. */
export interface Whereabouts {
  readonly account: string;
  readonly app: string;
  readonly page?: string;
  readonly language?: string;
}

/** More of a page's address is not read by routing rules, and refused by the server. */
const PAGE_CHARACTERS = 500;

/** Asks the server. Throws `HTTPProblem` for everything but an answer. */
export async function availability(fetch: Fetch, { account, app, page, language }: Whereabouts): Promise<Availability> {
  const query = new URLSearchParams({ account, app });
  if (page) query.set("page", page.slice(0, PAGE_CHARACTERS));
  if (language) query.set("language", language);
  return parseAvailability(await call(fetch, "GET", `/v1/availability?${query}`, {}));
}

/** Reads an answer. What it does not say counts as not open. */
export function parseAvailability(v: unknown): Availability {
  const told = isObject(v) ? v : {};
  const hours = isObject(told["hours"]) ? told["hours"] : {};
  const [opens, within] = [number(hours["opens"]), number(told["within"])];
  return {
    open: told["open"] === true,
    hours: { open: hours["open"] === true, ...(opens === undefined ? {} : { opens }) },
    ...(within === undefined ? {} : { within }),
  };
}
