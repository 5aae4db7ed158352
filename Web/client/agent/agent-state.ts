/** The state of the workspace, and how frames from the server change it. Pure. */

import { isTemporary } from "../../protocol/codes";
import { emptyInbox, withRows, type Inbox } from "./inbox";
import {
  emptyThread, participant, staled, withDelivery, withMarks, withPlayed, withOwn, withPage, withSnapshot, type Thread,
} from "./agent-thread";
import type { Standing, Wall } from "./people";
import type { Link } from "../core/connection";
import type { Entry } from "../core/outbox";
import { isObject, string } from "../core/parse";
import { DEFAULT_SETTINGS, type Settings } from "../core/settings";
import type { Command, FrameOf, ServerFrame } from "../core/wire";

/** Something that did not work in a conversation, until it is dismissed or the next thing works. */
export interface Problem {
  readonly code: string;
  /** The server's own words, for what we have none of. */
  readonly text: string;
  readonly limit?: number;
  /** The text went back into the draft. */
  readonly kept: boolean;
}

/** The state of an agent's session. */
export interface AgentState {
  /** The agent's id. */
  readonly me: string;
  readonly link: Link;
  /** The close code with which the link stopped or was lost, where there was one. */
  readonly linkCode: number | undefined;
  readonly epoch: string | undefined;
  readonly inbox: Inbox;
  readonly threads: ReadonlyMap<string, Thread>;
  readonly outbox: readonly Entry[];
  readonly drafts: ReadonlyMap<string, string>;
  readonly problems: ReadonlyMap<string, Problem>;
  /** What the brand allows, as of now. */
  readonly settings: Settings;
  /** How routing sees me; not known before the server said it. */
  readonly standing: Standing | undefined;
  /** The status of the brand's people, while this page is subscribed to it. */
  readonly team: readonly Standing[] | undefined;
  readonly wall: Wall | undefined;
  /** The version of the contact-centre settings in force; 0 before the server sent one. */
  readonly centre: number;
}

/** The state before the server sent anything. */
export function emptyState(me: string): AgentState {
  return {
    me, link: "idle", linkCode: undefined, epoch: undefined, inbox: emptyInbox,
    threads: new Map(), outbox: [], drafts: new Map(), problems: new Map(), settings: DEFAULT_SETTINGS,
    standing: undefined, team: undefined, wall: undefined, centre: 0,
  };
}

/** The state after a frame. The session handles answers to commands, because they need its outbox. */
export function afterFrame(state: AgentState, frame: ServerFrame): AgentState {
  const change = (c: string | undefined, run: (thread: Thread) => Thread): AgentState => withThread(state, c, run);
  switch (frame.kind) {
    case "ready": return "rows" in frame.ready ? afterInbox(state, frame.ready) : state;
    case "rows": return { ...state, inbox: withRows(state.inbox, frame.rows, frame.position, false, frame.gone) };
    case "watching":
      return change(frame.watching, (thread) => withSnapshot(thread, state.epoch ?? "", frame.who, frame));
    case "events": return change(frame.c, (thread) => withDelivery(thread, frame.events, frame.through));
    case "page":
      return change(frame.page, (thread) => withPlayed(withPage(thread, frame.events, frame.more), frame.played));
    case "marks": return change(frame.c, (thread) => withMarks(thread, frame.marks));
    case "played": return change(frame.c, (thread) => withPlayed(thread, frame.played));
    case "settings": return { ...state, settings: frame.settings };
    case "me": return { ...state, standing: frame.me };
    case "team": return { ...state, team: frame.team };
    case "wall": return { ...state, wall: frame.wall };
    case "centre": return { ...state, centre: frame.centre };
    default: return state;
  }
}

/** Our own message was stored: it becomes an event. */
export function afterOk(state: AgentState, { c, command }: Entry, { n, at }: FrameOf<"ok">): AgentState {
  if (c === undefined) return state;
  const next = withProblem(state, c, undefined);
  if (command.kind !== "text" && command.kind !== "audio") return next;
  return withThread(
    next, c, (thread) => withOwn(thread, { n, at, by: participant(thread, state.me) ?? 2, content: command }),
  );
}

/** Refused for good: what was written goes back into the draft, for nothing written is ever lost. */
export function afterNo(state: AgentState, { c, command }: Entry, { code, text, limit }: FrameOf<"no">): AgentState {
  if (c === undefined) return state;
  const returned = written(c, command);
  const kept = returned !== undefined || state.problems.get(c)?.kept === true;
  const problem = limit === undefined ? { code, text, kept } : { code, text, kept, limit };
  return withProblem(returned === undefined ? state : withReturned(state, ...returned), c, problem);
}

/** The key of a private note's draft, next to the reply's and never in its place. */
export function noteDraft(c: string): string {
  return `note ${c}`;
}

/** What a person wrote in a command, and the draft into which it goes back. */
function written(c: string, command: Command): [draft: string, text: string] | undefined {
  if (command.kind === "text") return [c, command.text];
  if (command.kind !== "ask") return undefined;
  const { note, transfer } = command.ask;
  const text = isObject(note) ? string(note["text"]) : isObject(transfer) ? string(transfer["note"]) : undefined;
  return text === undefined ? undefined : [noteDraft(c), text];
}

/** Refusals after which the same message may simply be tried again; it stays where it is, marked. */
export function mayPass(code: string): boolean {
  return isTemporary(code) || code === "key_reused";
}

/** Changes one thread, if it is here. */
export function withThread(state: AgentState, c: string | undefined, change: (thread: Thread) => Thread): AgentState {
  const thread = c === undefined ? undefined : state.threads.get(c);
  if (c === undefined || thread === undefined) return state;
  const next = change(thread);
  return next === thread ? state : { ...state, threads: new Map(state.threads).set(c, next) };
}

/** Sets a draft; an empty one is none. */
export function withDraft(state: AgentState, c: string, text: string): AgentState {
  return { ...state, drafts: replaced(state.drafts, c, text === "" ? undefined : text) };
}

/** Puts a text back in front of what is being written now. */
export function withReturned(state: AgentState, c: string, text: string): AgentState {
  const draft = state.drafts.get(c);
  return withDraft(state, c, draft === undefined ? text : `${text}\n${draft}`);
}

/** Says that something did not work, or (`undefined`) that it is over. */
export function withProblem(state: AgentState, c: string, problem: Problem | undefined): AgentState {
  if (problem === undefined && !state.problems.has(c)) return state;
  return { ...state, problems: replaced(state.problems, c, problem) };
}

function replaced<T>(map: ReadonlyMap<string, T>, key: string, value: T | undefined): ReadonlyMap<string, T> {
  const next = new Map(map);
  if (value === undefined) next.delete(key);
  else next.set(key, value);
  return next;
}

/** What an agent gets when the connection opens. */
type InboxSnapshot = Extract<FrameOf<"ready">["ready"], { rows: unknown }>;

/** A new connection. Another epoch is another life of the log: nothing of the old one counts. */
function afterInbox(state: AgentState, frame: InboxSnapshot): AgentState {
  const again = state.epoch === frame.epoch;
  const inbox = withRows(state.inbox, frame.rows, frame.position, frame.fresh || !again);
  const threads = new Map([...state.threads].map(([c, thread]) => [c, again ? staled(thread) : emptyThread(c)]));
  return { ...state, epoch: frame.epoch, inbox, threads };
}
