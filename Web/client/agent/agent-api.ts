/** What an agent requests by HTTP: colleagues, routing details, search, and saved views. */
import { proof } from "./sign-in";
import { call, type Fetch } from "../core/api";
import type { InboxRow } from "../conversation/events";
import { compact, isObject, list, number, string } from "../core/parse";
import type { Json } from "../core/parse";
import { read } from "../core/shapes";
import { inboxRow } from "../../protocol/agent-shapes";

/** A person of the brand. */
export interface Colleague {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** Cannot sign in: named where they did something, and chosen for nothing new. */
  readonly off?: true;
}

/** Reads the list of people. */
export const parseAgents = (v: Json): readonly Colleague[] => list(v["agents"], parseColleague);

/** Routing details: why a conversation has its place in the queue, and why each agent would or would not receive it. */
export interface RoutingDetails {
  readonly total: number;
  readonly parts: readonly { readonly name: string; readonly value: number; readonly text: string }[];
  readonly position?: number;
  readonly due?: number;
  readonly agents: readonly {
    readonly id: string;
    readonly name: string;
    readonly able: boolean;
    readonly text: string;
  }[];
}

/** Loads the routing details of a conversation. */
export async function routingDetails(fetch: Fetch, c: string): Promise<RoutingDetails> {
  const v = await call(fetch, "GET", `/v1/conversations/${encodeURIComponent(c)}/why`, {});
  const score = isObject(v["score"]) ? v["score"] : {};
  return compact<RoutingDetails>({
    total: number(score["total"]) ?? 0,
    parts: list(score["parts"], parsePart),
    position: number(v["position"]),
    due: number(v["due"]),
    agents: list(v["agents"], parseCandidate),
  });
}

function parsePart(v: unknown): RoutingDetails["parts"][number] | undefined {
  if (!isObject(v)) return undefined;
  return { name: string(v["name"]) ?? "", value: number(v["value"]) ?? 0, text: string(v["text"]) ?? "" };
}

function parseCandidate(v: unknown): RoutingDetails["agents"][number] | undefined {
  if (!isObject(v)) return undefined;
  const [id, name] = [string(v["id"]) ?? "", string(v["name"]) ?? ""];
  return { id, name, able: v["able"] === true, text: string(v["text"]) ?? "" };
}

/** What to search for. Omitted fields do not narrow the search. */
export interface Filter {
  readonly q?: string;
  readonly status?: string;
  readonly skill?: string;
  readonly agent?: string;
  readonly tag?: string;
  /** The consumer's answer to the survey, at most. */
  readonly csat?: number;
  readonly from?: number;
  readonly to?: number;
}

/** A search result. */
export interface Found {
  readonly row: InboxRow;
  /** What fits the words, and its number. */
  readonly match?: { readonly n: number; readonly at: number; readonly by: number; readonly text: string };
}

/** A page of search results. */
export interface FoundPage {
  readonly found: readonly Found[];
  readonly more: boolean;
}

/** Newest first; `before` is the `p` of the last row that is here already. */
export async function search(fetch: Fetch, filter: Filter, before?: number): Promise<FoundPage> {
  const v = await call(fetch, "GET", `/v1/search?${query(filter, before)}`, {});
  return { found: list(v["rows"], parseFound), more: v["more"] === true };
}

/** The query string of a search. */
export function query(filter: Filter, before?: number): string {
  return encoded({ ...filter, before, limit: 50 });
}

/** The query string of a list with everything that a search finds, in this person's time zone. */
export function listQuery(filter: Filter): string {
  return encoded({ ...filter, zone: Intl.DateTimeFormat().resolvedOptions().timeZone });
}

function encoded(values: object): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
}

function parseFound(v: unknown): Found | undefined {
  const row = read(inboxRow, v);
  if (row === undefined || !isObject(v)) return undefined;
  const m = isObject(v["match"]) ? v["match"] : undefined;
  const n = m && number(m["n"]);
  if (m === undefined || n === undefined) return { row };
  return { row, match: { n, at: number(m["at"]) ?? 0, by: number(m["by"]) ?? 0, text: string(m["text"]) ?? "" } };
}

/** A search that was given a name. `by`: the id of the colleague who shares it; absent for one's own. */
export interface View {
  readonly id: string;
  readonly name: string;
  readonly shared: boolean;
  readonly by?: string;
  readonly filter: Filter;
}

/** Loads the saved views: one's own and shared ones. */
export async function views(fetch: Fetch): Promise<readonly View[]> {
  return list((await call(fetch, "GET", "/v1/views", {}))["views"], parseView);
}

/** Keeps one's own views, all of them. */
export async function saveViews(fetch: Fetch, csrf: string, mine: readonly View[]): Promise<void> {
  const body = { views: mine.map(({ id, name, shared, filter }) => ({ id, name, shared, filter })) };
  await call(fetch, "PUT", "/v1/views", proof(csrf), body);
}

function parseView(v: unknown): View | undefined {
  if (!isObject(v)) return undefined;
  const id = string(v["id"]);
  return id === undefined ? undefined : compact<View>({
    id, name: string(v["name"])
      ?? "", shared: v["shared"] === true, by: string(v["by"]), filter: parseFilter(v["filter"]),
  });
}

function parseFilter(v: unknown): Filter {
  const f = isObject(v) ? v : {};
  return compact<Filter>({
    q: string(f["q"]), status: string(f["status"]), skill: string(f["skill"]), agent: string(f["agent"]),
    tag: string(f["tag"]),
    csat: number(f["csat"]), from: number(f["from"]), to: number(f["to"]),
  });
}

function parseColleague(v: unknown): Colleague | undefined {
  if (!isObject(v)) return undefined;
  const id = string(v["id"]);
  return id === undefined ? undefined : {
    id, name: string(v["name"]) ?? id, role: string(v["role"]) ?? "", ...(v["disabled"] === true && { off: true })
  };
}
