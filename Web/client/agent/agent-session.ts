/** An agent's client session: holds the state of the workspace and adds the agent's frames to the session core. */
import { parseAgentFrame, agentHello, stateFrame, unwatchFrame, watchFrame } from "./agent-wire";
import { afterFrame, afterOk, emptyState, withDraft, withProblem, withThread, type AgentState } from "./agent-state";
import { emptyThread, missing, older, participant, takesPart, type Asked, type Thread } from "./agent-thread";
import { CommandQueue } from "./command-queue";
import type { AgentAsk } from "./commands";
import { saveDrafts, savedDrafts } from "./drafts";
import type { Presence } from "./people";
import { TopicSubscriptions } from "./topic-subscriptions";
import { WatchedConversations } from "./watched-conversations";
import type { AudioContent } from "../conversation/events";
import type { PlaybackProgressReporter } from "../conversation/playback-progress";
import type { Connection } from "../core/connection";
import type { Entry } from "../core/outbox";
import type { Clock, KeyValue, Random, SocketLike } from "../core/ports";
import { SessionCore } from "../core/session-core";
import type { Settings } from "../core/settings";
import { Store } from "../core/store";
import { pageFrame, type FrameOf, type ServerFrame } from "../core/wire";

/** What an agent's session needs from the outside world. */
export interface AgentSessionOptions {
  readonly account: string;
  /** The agent's id. */
  readonly me: string;
  readonly storage: KeyValue;
  readonly clock: Clock;
  readonly random: Random;
  readonly open: () => SocketLike;
  /** Fetches a new ticket. Throws `SignedOut` where the session has ended. */
  readonly ticket: () => Promise<string>;
  /** The settings that came with the sign-in. */
  readonly settings?: Settings;
}

/** The agent's side of the protocol. */
export class AgentSession {
  /** What the workspace shows. */
  readonly store: Store<AgentState>;
  /** Commands until the server answers them. */
  readonly commands: CommandQueue;
  /** What the server sends only to clients that subscribe: how people and queues are doing. */
  readonly topics: TopicSubscriptions;
  /** What takes every frame that is no answer to a command, for calls. */
  readonly calls = new Set<(frame: ServerFrame) => void>();
  readonly #core: SessionCore;
  readonly #watched = new WatchedConversations();
  readonly #options: AgentSessionOptions;
  #reading: string | undefined;

  constructor(options: AgentSessionOptions) {
    const { me, storage, clock, random, open, settings } = options;
    this.#options = options;
    this.store = new Store<AgentState>(
      { ...emptyState(me), drafts: savedDrafts(storage, this.#key("drafts")), ...(settings && { settings }) }
    );
    this.#core = new SessionCore({ clock, random, storage, socket: open }, {
      parse: parseAgentFrame,
      hello: () => this.#hello(),
      probe: () => this.#probe(),
      progressKey: () => this.#key("played"),
      cursor: (c = "") => this.#thread(c)?.timeline.cursor ?? 0,
      receive: (frame) => this.#receive(frame),
      reconnected: () => this.#reconnected(),
      linkChanged: (link, linkCode) => this.#linkChanged(link, linkCode),
      outboxChanged: (outbox) => this.store.set({ outbox }),
      accepted: (entry, frame) => this.#accepted(entry, frame),
      refused: (entry, frame) => this.commands.refused(entry, frame),
      typing: (typing, c) => this.#change((state) => withThread(state, c, (thread) => ({ ...thread, typing }))),
    });
    this.#core.calls = (frame) => this.calls.forEach((take) => take(frame));
    this.topics = new TopicSubscriptions((frame) => this.#core.send(frame));
    this.commands = new CommandQueue(this.#core, (change) => this.#change(change));
    this.#core.openOutbox(this.#key("out"));
  }

  /** The socket that reconnects. */
  get connection(): Connection {
    return this.#core.connection;
  }

  /** Takes what the players really played. */
  get playbackProgress(): PlaybackProgressReporter {
    return this.#core.playbackProgress;
  }

  /** The connection, for calls. */
  get channel(): Pick<SessionCore, "send" | "connection"> {
    return this.#core;
  }

  /** Opens a conversation: at once where it is still in memory, and from the server. */
  open(c: string): void {
    const known = this.#watched.has(c);
    for (const other of this.#watched.open(c)) this.#forget(other);
    if (known) return;
    this.#change((state) => ({ ...state, threads: new Map(state.threads).set(c, emptyThread(c)) }));
    this.#watch(c);
  }

  /** Says which conversation the agent reads now, down to its newest message. */
  look(c: string | undefined): void {
    this.#reading = c;
    this.#acknowledge(c);
  }

  /** Requests older events, one page at a time. */
  older(c: string): void {
    const thread = this.#thread(c);
    this.#fetch(c, thread && older(thread));
  }

  /** Sends a text. To a conversation that is waiting or closed, it also assigns the conversation to this agent. */
  say(c: string, text: string): void {
    this.commands.say(c, text);
  }

  /** Sends a recording that is on the server. The same `key` is always the same message. */
  speak(c: string, audio: AudioContent, key: string): void {
    this.commands.submit(c, { kind: "audio", audio }, key);
  }

  /** Takes a conversation that is waiting. */
  take(c: string): void {
    this.commands.submit(c, { kind: "take" });
  }

  /** Closes the conversation. The consumer reopens it by writing. */
  finish(c: string): void {
    this.commands.submit(c, { kind: "close" });
  }

  /** Sends a secondary command. `key`: where it has one of its own (a recording's draft). */
  ask(c: string, ask: AgentAsk, key?: string): void {
    this.commands.submit(c, { kind: "ask", ask }, key);
  }

  /** Sets the agent's presence. Returns false without a connection: nothing was sent then. */
  present(state: Presence, reason?: string): boolean {
    return this.#core.send(stateFrame(state, reason), true);
  }

  /** Keeps an unsent text. `typing` lets the consumer see that the agent writes. */
  draft(c: string, text: string, typing: boolean): void {
    this.#change((state) => withDraft(state, c, text));
    if (typing) this.#core.signals(c).out.typing(text !== "");
  }

  /** Dismisses the problem of a conversation. */
  dismiss(c: string): void {
    this.#change((state) => withProblem(state, c, undefined));
  }

  /** Disconnects and removes everything from the device: the agent signed out. */
  erase(): void {
    this.connection.stop();
    this.#core.dropAll();
    this.playbackProgress.forget();
    saveDrafts(this.#options.storage, this.#key("drafts"), new Map());
  }

  #key(what: string): string {
    return `earshot.agent.${what}.${this.#options.account}.${this.#options.me}.`;
  }

  #thread(c: string): Thread | undefined {
    return this.store.get().threads.get(c);
  }

  async #hello(): Promise<string> {
    const ticket = await this.#options.ticket();
    const { epoch, inbox, settings } = this.store.get();
    return agentHello(ticket, epoch === undefined ? undefined : inbox.position, epoch, settings.v || undefined);
  }

  /** An empty page: the server always answers it, with a page or a problem. */
  #probe(): string {
    return pageFrame(1, 1, this.#watched.all[0] ?? [...this.store.get().inbox.rows.keys()][0] ?? "none");
  }

  #linkChanged(link: AgentState["link"], linkCode: number | undefined): void {
    if (link !== "online") this.#watched.connectionLost();
    this.store.set({ link, linkCode });
  }

  #receive(frame: ServerFrame): void {
    this.#change((state) => afterFrame(state, frame));
    switch (frame.kind) {
      case "watching":
        this.#watched.confirmed(frame.watching);
        return this.#acknowledge(frame.watching);
      case "events": return this.#delivered(frame);
      case "problem": return this.#refusedFrame(frame);
      default:
    }
  }

  #reconnected(): void {
    for (const c of this.#watched.all) this.#watch(c);
    this.topics.reconnected();
  }

  #accepted(entry: Entry, frame: FrameOf<"ok">): void {
    this.#change((state) => afterOk(state, entry, frame));
    this.#acknowledge(entry.c);
  }

  #delivered({ c }: FrameOf<"events">): void {
    if (c === undefined) return;
    const thread = this.#thread(c);
    this.#fetch(c, thread && missing(thread));
    this.#acknowledge(c);
  }

  /**
   * A frame without a key was refused. Where it was the watch of a conversation, the server does not show that
   * conversation.
   */
  #refusedFrame({ problem: { c } }: FrameOf<"problem">): void {
    if (c === undefined || !this.#watched.refused(c)) return;
    this.#change((state) => withThread(state, c, (thread) => ({ ...thread, phase: "gone" })));
  }

  #watch(c: string): void {
    const cursor = this.#thread(c)?.timeline.cursor ?? 0;
    if (this.#core.send(watchFrame(c, cursor > 0 ? cursor : undefined), true)) this.#watched.requested(c);
  }

  #forget(c: string): void {
    this.#core.forgetSignals(c);
    this.#change((state) => ({ ...state, threads: new Map([...state.threads].filter(([other]) => other !== c)) }));
    this.#core.send(unwatchFrame(c));
  }

  #fetch(c: string, asked: Asked | undefined): void {
    if (asked === undefined || !this.#core.send(pageFrame(asked.before, asked.limit, c), true)) return;
    this.#change((state) => withThread(state, c, (thread) => ({ ...thread, asked })));
  }

  /** Sends receipts. Only participants have watermarks: an agent who only watches stays invisible. */
  #acknowledge(c: string | undefined): void {
    const thread = c === undefined ? undefined : this.#thread(c);
    if (c === undefined || thread?.phase !== "live" || !this.#takesPart(thread)) return;
    const { out } = this.#core.signals(c);
    if (this.#reading === c) out.seen(thread.timeline.cursor);
    else out.reached(thread.timeline.cursor);
  }

  #takesPart(thread: Thread): boolean {
    const { me, inbox } = this.store.get();
    return participant(thread, me) !== undefined && (inbox.rows.get(thread.c)?.to === me || takesPart(thread, me));
  }

  #change(change: (state: AgentState) => AgentState): void {
    const before = this.store.get();
    const next = change(before);
    this.store.set(next);
    if (before.drafts !== next.drafts) saveDrafts(this.#options.storage, this.#key("drafts"), next.drafts);
  }
}
