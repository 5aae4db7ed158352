/** An agent's desk: holds the state, talks to the socket, and keeps on the device what must not be lost. */

import { saveDrafts, savedDrafts } from "./agent-drafts";
import {
  afterFrame, afterNo, afterOk, emptyState, mayPass, withDraft, withProblem, withReturned, withThread, type AgentState,
} from "./agent-state";
import { emptyThread, missing, older, participant, type Asked } from "./agent-thread";
import { WatchList } from "./agent-watch";
import { Connection } from "./connection";
import { KeyMaker } from "./keys";
import { entryFrame, Outbox, type Entry } from "./outbox";
import type { Clock, KeyValue, Random, SocketLike } from "./ports";
import { Signals, TypingList } from "./signals";
import { Store } from "./store";
import { agentHello, parseAgentFrame, unwatchFrame, watchFrame } from "./agent-wire";
import { pageFrame } from "./wire";
import type { Command, ServerFrame } from "./wire";

/** What a desk needs of the world. */
export interface DeskOptions {
  readonly account: string;
  /** The agent's id. */
  readonly me: string;
  readonly storage: KeyValue;
  readonly clock: Clock;
  readonly random: Random;
  readonly open: () => SocketLike;
  /** A new ticket; throws `SignedOut` where the session is over. */
  readonly ticket: () => Promise<string>;
}

/** What is said and heard at a conversation without being stored. */
interface Lane {
  readonly signals: Signals;
  readonly typing: TypingList;
}

export class AgentDesk {
  readonly store: Store<AgentState>;
  readonly connection: Connection;
  private readonly outbox: Outbox;
  private readonly watches = new WatchList();
  private readonly keys: KeyMaker;
  private readonly lanes = new Map<string, Lane>();
  private readonly saidHere = new Map<string, string>();
  private reading: string | undefined;

  constructor(private readonly with_: DeskOptions) {
    this.keys = new KeyMaker(with_.random);
    this.outbox = new Outbox(with_.storage, this.place("out"), () => this.store?.set({ outbox: this.outbox.all() }));
    const kept = { outbox: this.outbox.all(), drafts: savedDrafts(with_.storage, this.place("drafts")) };
    this.store = new Store<AgentState>({ ...emptyState(with_.me), ...kept });
    this.connection = new Connection({
      open: with_.open, clock: with_.clock, random: with_.random,
      hello: () => this.hello(), probe: () => this.probe(), parse: parseAgentFrame,
      frame: (frame) => this.heard(frame), link: (link, linkCode) => this.linked(link, linkCode),
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
    this.ask(c, thread && older(thread));
  }

  /** Says a text. To a conversation that waits or is closed, that takes it: whoever answers is who answers. */
  say(c: string, text: string): void {
    this.set((state) => withDraft(state, c, ""));
    this.lane(c).signals.sent();
    this.command(c, { kind: "text", text });
  }

  take(c: string): void {
    this.command(c, { kind: "take" });
  }

  /** Closes the conversation. The consumer opens it again by writing. */
  finish(c: string): void {
    this.command(c, { kind: "close" });
  }

  /** Tries a refused message again: under its own key, for the server may have stored it after all, unless the key was the trouble. */
  retry(key: string): void {
    const entry = this.entry(key);
    if (entry?.refused === undefined) return;
    const again = entry.refused.code === "key_reused" ? this.keys.next() : key;
    this.outbox.drop(key);
    this.post(this.outbox.add(again, entry.command, this.with_.clock.now(), entry.c));
  }

  /** Gives a refused message up; its text goes back into the draft. */
  discard(key: string): void {
    const entry = this.entry(key);
    this.outbox.drop(key);
    const { c, command } = entry ?? {};
    if (c !== undefined && command?.kind === "text") this.set((state) => withReturned(state, c, command.text));
  }

  /** The key under which message `n` was said on this page, if it was: a bubble keeps it as its identity when it turns from pending into sent. */
  keyOf(c: string, n: number): string | undefined {
    return this.saidHere.get(`${c} ${n}`);
  }

  /** Keeps what is being written; `typing` lets the consumer see that somebody writes. */
  draft(c: string, text: string, typing: boolean): void {
    this.set((state) => withDraft(state, c, text));
    if (typing) this.lane(c).signals.typing(text !== "");
  }

  dismiss(c: string): void {
    this.set((state) => withProblem(state, c, undefined));
  }

  /** Leaves nothing on the device: the person signed out. */
  erase(): void {
    this.connection.stop();
    for (const { key } of this.outbox.all()) this.outbox.drop(key);
    saveDrafts(this.with_.storage, this.place("drafts"), new Map());
  }

  private place(what: string): string {
    return `earshot.agent.${what}.${this.with_.account}.${this.with_.me}.`;
  }

  private async hello(): Promise<string> {
    const { epoch, inbox } = this.store.get();
    return agentHello(await this.with_.ticket(), epoch === undefined ? undefined : inbox.position, epoch);
  }

  /** A page of nothing: always answered, by a page or by a problem. */
  private probe(): string {
    return pageFrame(1, 1, this.watches.all[0] ?? [...this.store.get().inbox.rows.keys()][0] ?? "none");
  }

  private linked(link: AgentState["link"], linkCode: number | undefined): void {
    if (link !== "online") this.watches.lost();
    this.store.set({ link, linkCode });
  }

  private heard(frame: ServerFrame): void {
    this.set((state) => afterFrame(state, frame));
    switch (frame.kind) {
      case "inbox": return this.begin();
      case "watching":
        this.watches.answered(frame.c);
        return this.acknowledge(frame.c);
      case "events": return this.delivered(frame);
      case "typing": return frame.c === undefined ? undefined : this.lane(frame.c).typing.heard(frame.by, frame.off);
      case "ok": return this.accepted(frame);
      case "no": return this.refused(frame);
      case "problem": return this.complained(frame.code);
      default: return;
    }
  }

  /** A new connection: watch again what was watched, ask again what was not answered. */
  private begin(): void {
    for (const { signals, typing } of this.lanes.values()) {
      typing.clear();
      signals.reconnected();
    }
    for (const c of this.watches.all) this.watch(c);
    for (const entry of this.outbox.unanswered()) this.post(entry);
  }

  private delivered({ c, events }: Extract<ServerFrame, { kind: "events" }>): void {
    if (c === undefined) return;
    for (const { by } of events) this.lane(c).typing.stopped(by);
    const thread = this.store.get().threads.get(c);
    this.ask(c, thread && missing(thread));
    this.acknowledge(c);
  }

  private accepted(frame: Extract<ServerFrame, { kind: "ok" }>): void {
    const entry = this.outbox.accepted(frame.key);
    if (entry === undefined) return;
    this.saidHere.set(`${entry.c} ${frame.n}`, frame.key);
    this.set((state) => afterOk(state, entry, frame));
    if (entry.c !== undefined) this.acknowledge(entry.c);
  }

  private refused(frame: Extract<ServerFrame, { kind: "no" }>): void {
    const entry = this.entry(frame.key);
    if (entry === undefined) return;
    if (entry.command.kind === "text" && mayPass(frame.code)) return this.outbox.refused(frame.key, frame.code, frame.text);
    this.outbox.drop(frame.key);
    this.set((state) => afterNo(state, entry, frame));
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
    this.lanes.delete(c);
    this.set((state) => ({ ...state, threads: new Map([...state.threads].filter(([other]) => other !== c)) }));
    this.connection.send(unwatchFrame(c));
  }

  private ask(c: string, asked: Asked | undefined): void {
    if (asked === undefined || !this.connection.send(pageFrame(asked.before, asked.limit, c), true)) return;
    this.set((state) => withThread(state, c, (thread) => ({ ...thread, asked })));
  }

  /** Writes a command down, and then lets it go out. */
  private command(c: string, command: Command): void {
    this.dismiss(c);
    this.post(this.outbox.add(this.keys.next(), command, this.with_.clock.now(), c));
  }

  private post(entry: Entry): void {
    const c = entry.c;
    const read = c === undefined || entry.command.kind !== "text" ? undefined : this.lane(c).signals.takeRead();
    if (!this.connection.send(entryFrame(entry, read), true)) return;
    this.outbox.wentOut(entry.key, (c === undefined ? undefined : this.store.get().threads.get(c)?.timeline.cursor) ?? 0);
  }

  /** Tells the consumer how far we have come. Only a participant has a mark. */
  private acknowledge(c: string): void {
    const thread = this.store.get().threads.get(c);
    if (thread?.phase !== "live" || participant(thread, this.with_.me) === undefined) return;
    const { signals } = this.lane(c);
    if (this.reading === c) signals.seen(thread.timeline.cursor);
    else signals.reached(thread.timeline.cursor);
  }

  private lane(c: string): Lane {
    const known = this.lanes.get(c);
    if (known !== undefined) return known;
    const lane = {
      signals: new Signals(this.with_.clock, (frame) => this.connection.send(frame), c),
      typing: new TypingList(this.with_.clock, (typing) => this.set((state) => withThread(state, c, (one) => ({ ...one, typing })))),
    };
    this.lanes.set(c, lane);
    return lane;
  }

  private entry(key: string): Entry | undefined {
    return this.outbox.all().find((entry) => entry.key === key);
  }

  private set(change: (state: AgentState) => AgentState): void {
    const before = this.store.get();
    const next = change(before);
    this.store.set(next);
    if (before.drafts !== next.drafts) saveDrafts(this.with_.storage, this.place("drafts"), next.drafts);
  }
}
