/** An agent's desk: holds the state, talks to the socket, and keeps on the device what must not be lost. */

import { saveDrafts, savedDrafts } from "./drafts";
import { AgentLanes } from "./agent-signals";
import { AgentPost } from "./command-queue";
import { afterFrame, emptyState, withDraft, withProblem, withThread, type AgentState } from "./agent-state";
import { emptyThread, missing, older, participant, takesPart, type Asked, type Thread } from "./agent-thread";
import type { Presence } from "./people";
import { Interest } from "./topic-subscriptions";
import { WatchList } from "./watched-conversations";
import { Connection } from "../core/connection";
import type { AudioContent } from "../conversation/events";
import { Hearing } from "../conversation/playback-progress";
import type { Clock, KeyValue, Random, SocketLike } from "../core/ports";
import type { Settings } from "../core/settings";
import { Store } from "../core/store";
import { agentHello, parseAgentFrame, stateFrame, unwatchFrame, watchFrame } from "./agent-wire";
import type { AgentAsk } from "./commands";
import { pageFrame } from "../core/wire";
import type { ServerFrame } from "../core/wire";

/** What a desk needs of the world. */
export interface AgentSessionOptions {
  readonly account: string;
  /** The agent's id. */
  readonly me: string;
  readonly storage: KeyValue;
  readonly clock: Clock;
  readonly random: Random;
  readonly open: () => SocketLike;
  /** A new ticket; throws `SignedOut` where the session is over. */
  readonly ticket: () => Promise<string>;
  /** As the session said them. */
  readonly settings?: Settings;
}

export class AgentSession {
  readonly store: Store<AgentState>;
  readonly connection: Connection;
  /** Everything that is asked and answered by key. */
  readonly post: AgentPost;
  /** Told by the players what was really played. */
  readonly hearing: Hearing;
  /** What the server tells only to who asks: how people and queues stand. */
  readonly interest: Interest;
  private readonly lanes: AgentLanes;
  private readonly watches = new WatchList();
  private reading: string | undefined;

  constructor(private readonly with_: AgentSessionOptions) {
    const { me, storage, clock, random, open } = with_;
    this.store = new Store<AgentState>({ ...emptyState(me), drafts: savedDrafts(storage, this.place("drafts")), ...(with_.settings && { settings: with_.settings }) });
    this.connection = new Connection({
      open, clock, random, parse: parseAgentFrame,
      hello: () => this.hello(), probe: () => this.probe(),
      frame: (frame) => this.played(frame), link: (link, linkCode) => this.linked(link, linkCode),
    });
    const change = (run: (state: AgentState) => AgentState): void => this.set(run);
    this.lanes = new AgentLanes(clock, (frame) => this.connection.send(frame), (c, typing) =>
      change((state) => withThread(state, c, (thread) => ({ ...thread, typing }))));
    this.interest = new Interest((frame) => this.connection.send(frame));
    this.hearing = new Hearing({ clock, storage, place: () => this.place("played"), send: (frame) => this.connection.send(frame) });
    this.post = new AgentPost({
      storage, prefix: this.place("out"), clock, random, store: this.store, change,
      send: (frame) => this.connection.send(frame, true), signals: (c) => this.lanes.at(c).signals,
    });
  }

  /** Opens a conversation: from memory at once where it is still there, and from the server. */
  open(c: string): void {
    const known = this.watches.has(c);
    for (const other of this.watches.opened(c)) this.forget(other);
    if (known) return;
    this.set((state) => ({ ...state, threads: new Map(state.threads).set(c, emptyThread(c)) }));
    this.watch(c);
  }

  /** Says which conversation a person looks at now, down to its newest message. */
  look(c: string | undefined): void {
    this.reading = c;
    if (c !== undefined) this.acknowledge(c);
  }

  /** Asks for older events, one page at a time. */
  older(c: string): void {
    const thread = this.store.get().threads.get(c);
    this.fetch(c, thread && older(thread));
  }

  /** Says a text. To a conversation that waits or is closed, that takes it: whoever answers is who answers. */
  say(c: string, text: string): void {
    this.post.say(c, text);
  }

  /** Says a recording that is on the server. The same `key` is the same message, however often it is said. */
  speak(c: string, audio: AudioContent, key: string): void {
    this.post.command(c, { kind: "audio", audio }, key);
  }

  take(c: string): void {
    this.post.command(c, { kind: "take" });
  }

  /** Closes the conversation. The consumer opens it again by writing. */
  finish(c: string): void {
    this.post.command(c, { kind: "close" });
  }

  /** Asks something of the conversation. `key`: where it has one of its own (a recording's draft). */
  ask(c: string, ask: AgentAsk, key?: string): void {
    this.post.command(c, { kind: "ask", ask }, key);
  }

  /** Says how I stand. False where there is no connection: nothing was said then. */
  present(state: Presence, reason?: string): boolean {
    return this.connection.send(stateFrame(state, reason), true);
  }

  /** Keeps what is being written; `typing` lets the consumer see that somebody writes. */
  draft(c: string, text: string, typing: boolean): void {
    this.set((state) => withDraft(state, c, text));
    if (typing) this.lanes.at(c).signals.typing(text !== "");
  }

  dismiss(c: string): void {
    this.set((state) => withProblem(state, c, undefined));
  }

  /** Leaves nothing on the device: the person signed out. */
  erase(): void {
    this.connection.stop();
    this.post.erase();
    this.hearing.forget();
    saveDrafts(this.with_.storage, this.place("drafts"), new Map());
  }

  private place(what: string): string {
    return `earshot.agent.${what}.${this.with_.account}.${this.with_.me}.`;
  }

  private async hello(): Promise<string> {
    const ticket = await this.with_.ticket();
    const { epoch, inbox, settings } = this.store.get();
    return agentHello(ticket, epoch === undefined ? undefined : inbox.position, epoch, settings.v || undefined);
  }

  /** A page of nothing: always answered, by a page or by a problem. */
  private probe(): string {
    return pageFrame(1, 1, this.watches.all[0] ?? [...this.store.get().inbox.rows.keys()][0] ?? "none");
  }

  private linked(link: AgentState["link"], linkCode: number | undefined): void {
    if (link !== "online") this.watches.lost();
    this.store.set({ link, linkCode });
  }

  private played(frame: ServerFrame): void {
    this.set((state) => afterFrame(state, frame));
    switch (frame.kind) {
      case "inbox": return this.begin();
      case "watching":
        this.watches.answered(frame.c);
        return this.acknowledge(frame.c);
      case "events": return this.delivered(frame);
      case "typing": return frame.c === undefined ? undefined : this.lanes.at(frame.c).typing.played(frame.by, frame.off);
      case "ok": return this.acknowledge(this.post.accepted(frame));
      case "no": return this.post.refused(frame);
      case "problem": return this.complained(frame.code);
      default: return;
    }
  }

  /** A new connection: watch again what was watched, ask again what was not answered. */
  private begin(): void {
    this.lanes.reconnected();
    for (const c of this.watches.all) this.watch(c);
    this.post.again();
    this.hearing.reconnected();
    this.interest.reconnected();
  }

  private delivered({ c, events }: Extract<ServerFrame, { kind: "events" }>): void {
    if (c === undefined) return;
    for (const { by } of events) this.lanes.at(c).typing.stopped(by);
    const thread = this.store.get().threads.get(c);
    this.fetch(c, thread && missing(thread));
    this.acknowledge(c);
  }

  private complained(code: string): void {
    const c = this.watches.refused(code);
    if (c !== undefined) this.set((state) => withThread(state, c, (thread) => ({ ...thread, phase: "gone" })));
  }

  private watch(c: string): void {
    const cursor = this.store.get().threads.get(c)?.timeline.cursor ?? 0;
    if (this.connection.send(watchFrame(c, cursor > 0 ? cursor : undefined), true)) this.watches.asks(c);
  }

  private forget(c: string): void {
    this.lanes.forget(c);
    this.set((state) => ({ ...state, threads: new Map([...state.threads].filter(([other]) => other !== c)) }));
    this.connection.send(unwatchFrame(c));
  }

  private fetch(c: string, asked: Asked | undefined): void {
    if (asked === undefined || !this.connection.send(pageFrame(asked.before, asked.limit, c), true)) return;
    this.set((state) => withThread(state, c, (thread) => ({ ...thread, asked })));
  }

  /** Tells the consumer how far we have come. Only who takes part has a mark: who watches leaves no trace. */
  private acknowledge(c: string | undefined): void {
    const thread = c === undefined ? undefined : this.store.get().threads.get(c);
    if (c === undefined || thread?.phase !== "live" || !this.takesPart(thread)) return;
    const { signals } = this.lanes.at(c);
    if (this.reading === c) signals.seen(thread.timeline.cursor);
    else signals.reached(thread.timeline.cursor);
  }

  private takesPart(thread: Thread): boolean {
    const { me, inbox } = this.store.get();
    return participant(thread, me) !== undefined && (inbox.rows.get(thread.c)?.to === me || takesPart(thread, me));
  }

  private set(change: (state: AgentState) => AgentState): void {
    const before = this.store.get();
    const next = change(before);
    this.store.set(next);
    if (before.drafts !== next.drafts) saveDrafts(this.with_.storage, this.place("drafts"), next.drafts);
  }
}
