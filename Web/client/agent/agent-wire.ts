/**
 * What only agents are told, and what only they say. Apart from wire.ts, so that a consumer's phone does not load it.
 */
import { parseAgentEvent, parseRoutingInfo } from "./agent-events";
import { parseStanding, parseWall } from "./people";
import type { Presence } from "./people";
import type { Card, InboxRow } from "../conversation/events";
import { compact, isObject, list, number, parseStatus, string } from "../core/parse";
import { parseSnapshot, parseWith, readers } from "../core/wire";
import type { AgentServerKind } from "../../protocol/agent-frames";
import type { ConsumerServerKind } from "../../protocol/frames";
import type { FrameParser, Readers, ServerFrame } from "../core/wire";

/** `watching` comes first: such a frame also has members that are kinds of their own. */
const agentReaders: Readers<ConsumerServerKind | AgentServerKind> = {
  watching: (f) => {
    const [c, who] = [string(f["watching"]), parseCard(f["who"])];
    if (c === undefined) return undefined;
    return {
      kind: "watching", c, ...(who ? { who } : {}),
      snapshot: { ...parseSnapshot(f), events: list(f["events"], parseAgentEvent) },
    };
  },
  ...readers,
  ready: (f) => {
    const r = isObject(f["ready"]) ? f["ready"] : {};
    const [epoch, agent] = [string(r["epoch"]), string(r["agent"])];
    if (epoch === undefined || agent === undefined) return undefined;
    return {
      kind: "inbox", epoch, agent, rows: list(r["rows"], parseRow),
      position: number(r["position"]) ?? 0, fresh: r["fresh"] === true,
    };
  },
  events: (f, c) => withPrivate(f["events"], readers.events(f, c)),
  page: (f, c) => withPrivate(f["events"], readers.page(f, c)),
  rows: (f) => ({ kind: "rows", rows: list(f["rows"], parseRow), position: number(f["position"]) ?? 0 }),
  me: (f) => {
    const me = parseStanding(f["me"]);
    return me && { kind: "me", me };
  },
  team: (f) => (Array.isArray(f["team"]) ? { kind: "team", team: list(f["team"], parseStanding) } : undefined),
  wall: (f) => {
    const wall = parseWall(f["wall"]);
    return wall && { kind: "wall", wall };
  },
  centre: (f) => ({ kind: "centre", v: number(f["centre"]) ?? 0 }),
};

/** The same frame with its events as an agent reads them. */
function withPrivate(events: unknown, frame: ServerFrame | undefined): ServerFrame | undefined {
  return frame?.kind === "events" || frame?.kind === "page"
    ? { ...frame, events: list(events, parseAgentEvent) }
    : frame;
}

/** Reads a frame that came to an agent. */
export const parseAgentFrame: FrameParser = (text) => parseWith(agentReaders, text);

/** An agent's first frame: I have every row through feed position `position`, and the brand's settings as of `v`. */
export const agentHello = (ticket: string, position?: number, epoch?: string, v?: number): string =>
  JSON.stringify({ hello: { ticket, position, epoch, v } });
export const watchFrame = (c: string, after?: number): string => JSON.stringify({ watch: c, after });
export const unwatchFrame = (c: string): string => JSON.stringify({ unwatch: c });
/** How I stand; answered by `me`. */
export const stateFrame = (state: Presence, reason?: string): string => JSON.stringify({ state, reason });
/** Tell me how the brand's people, or its queues, stand; or no longer. */
export const standingFrame = (what: "team" | "wall", on: boolean): string => JSON.stringify({ [what]: on });

export function parseCard(v: unknown): Card | undefined {
  if (!isObject(v)) return undefined;
  return compact<Card>({
    name: string(v["name"]) ?? "",
    app: string(v["app"]),
    since: number(v["since"]),
    page: string(v["page"]),
    language: string(v["language"]),
    device: string(v["device"]),
  });
}

export function parseRow(v: unknown): InboxRow | undefined {
  if (!isObject(v)) return undefined;
  const c = string(v["c"]);
  if (c === undefined) return undefined;
  const last = isObject(v["last"]) ? v["last"] : undefined;
  return compact<InboxRow>({
    c,
    p: number(v["p"]) ?? 0,
    status: parseStatus(v["status"]),
    to: string(v["to"]),
    toName: string(v["toName"]),
    who: string(v["who"]) ?? "",
    channel: string(v["channel"]),
    app: string(v["app"]),
    n: number(v["n"]) ?? 0,
    at: number(v["at"]) ?? 0,
    since: number(v["since"]),
    last: last && compact<NonNullable<InboxRow["last"]>>({
      by: number(last["by"]) ?? 0, text: string(last["text"]), audio: number(last["audio"]),
    }),
    unread: number(v["unread"]) ?? 0,
    unplayed: Math.max(0, number(v["unplayed"]) ?? 0),
    routing: parseRoutingInfo(v["routing"]),
  });
}
