/** The way of a command: written down, sent, answered, and sent again until it is answered. */

import { afterNo, afterOk, mayPass, withDraft, withProblem, withReturned, type AgentState } from "./agent-state";
import { KeyMaker } from "../core/keys";
import { entryFrame, Outbox, type Entry } from "../core/outbox";
import type { Clock, KeyValue, Random } from "../core/ports";
import type { Signals } from "../conversation/ephemeral-signals";
import type { Store } from "../core/store";
import type { Command, ServerFrame } from "../core/wire";

/** What a post needs of its desk. */
export interface PostOptions {
  readonly storage: KeyValue;
  /** Where in the storage this person's commands are. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store<AgentState>;
  /** Whether it went out; the server owes an answer to it. */
  readonly send: (frame: string) => boolean;
  readonly signals: (c: string) => Signals;
  readonly change: (change: (state: AgentState) => AgentState) => void;
}

type Frame<Kind extends ServerFrame["kind"]> = Extract<ServerFrame, { kind: Kind }>;

export class AgentPost {
  private readonly outbox: Outbox;
  private readonly keys: KeyMaker;
  private readonly saidHere = new Map<string, string>();

  constructor(private readonly with_: PostOptions) {
    this.keys = new KeyMaker(with_.random);
    this.outbox = new Outbox(with_.storage, with_.prefix, () => this.show());
    this.show();
  }

  /** Says a text. */
  say(c: string, text: string): void {
    this.with_.change((state) => withDraft(state, c, ""));
    this.with_.signals(c).sent();
    this.command(c, { kind: "text", text });
  }

  /** Writes a command down, and then lets it go out. `key`: where it has one of its own (a recording's draft): after a crash it is the same again. */
  command(c: string, command: Command, key: string = this.keys.next()): void {
    this.with_.change((state) => withProblem(state, c, undefined));
    this.post(this.outbox.add(key, command, this.with_.clock.now(), c));
  }

  /** A new connection: whatever was not answered goes out again, in order. */
  again(): void {
    for (const entry of this.outbox.unanswered()) this.post(entry);
  }

  /** Stored for good. Returns the conversation. */
  accepted(frame: Frame<"ok">): string | undefined {
    const entry = this.outbox.accepted(frame.key);
    if (entry === undefined) return undefined;
    this.saidHere.set(`${entry.c} ${frame.n}`, frame.key);
    this.with_.change((state) => afterOk(state, entry, frame));
    return entry.c;
  }

  refused(frame: Frame<"no">): void {
    const entry = this.entry(frame.key);
    if (entry === undefined) return;
    // A voice message cannot go back into a draft as a text can: it stays where it is, marked, until a person decides.
    const stays = entry.command.kind === "audio" || (entry.command.kind === "text" && mayPass(frame.code));
    if (stays) return this.outbox.refused(frame.key, frame.code, frame.text);
    this.outbox.drop(frame.key);
    this.with_.change((state) => afterNo(state, entry, frame));
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
    if (c !== undefined && command?.kind === "text") this.with_.change((state) => withReturned(state, c, command.text));
  }

  /** The key under which message `n` was said on this page, if it was. */
  keyOf(c: string, n: number): string | undefined {
    return this.saidHere.get(`${c} ${n}`);
  }

  erase(): void {
    for (const { key } of this.outbox.all()) this.outbox.drop(key);
  }

  private post(entry: Entry): void {
    const c = entry.c ?? "";
    const speaks = entry.command.kind === "text" || entry.command.kind === "audio";
    const read = speaks ? this.with_.signals(c).takeRead() : undefined;
    if (!this.with_.send(entryFrame(entry, read))) return;
    this.outbox.wentOut(entry.key, this.with_.store.get().threads.get(c)?.timeline.cursor ?? 0);
  }

  private entry(key: string): Entry | undefined {
    return this.outbox.all().find((entry) => entry.key === key);
  }

  private show(): void {
    this.with_.store.set({ outbox: this.outbox.all() });
  }
}
