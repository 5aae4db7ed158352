/** An agent's commands: given, retried, discarded and refused. The session core stores and sends them. */
import { afterNo, mayPass, withDraft, withProblem, withReturned, type AgentState } from "./agent-state";
import type { Entry } from "../core/outbox";
import type { SessionCore } from "../core/session-core";
import type { Command, FrameOf } from "../core/wire";

/** What an agent does with commands, and what happens to the drafts and problems of their conversations. */
export class CommandQueue {
  readonly #core: SessionCore;
  readonly #change: (change: (state: AgentState) => AgentState) => void;

  constructor(core: SessionCore, change: (change: (state: AgentState) => AgentState) => void) {
    this.#core = core;
    this.#change = change;
  }

  /** Sends a text, and empties its draft. */
  say(c: string, text: string): void {
    this.#change((state) => withDraft(state, c, ""));
    this.#core.signals(c).out.sent();
    this.submit(c, { kind: "text", text });
  }

  /**
   * Stores a command and sends it. A `key` of its own (a recording's draft) makes it the same command after a crash.
   */
  submit(c: string, command: Command, key?: string): void {
    this.#change((state) => withProblem(state, c, undefined));
    this.#core.submit(command, c, key);
  }

  /**
   * Retries a refused message under its own key, because the server may have stored it after all. Only a key that was
   * the reason for the refusal is replaced.
   */
  retry(key: string): void {
    this.#core.retry(key, this.#core.entry(key)?.refused?.code !== "key_reused");
  }

  /** Removes a refused message. Its text returns to the draft. */
  discard(key: string): void {
    const { c, command } = this.#core.entry(key) ?? {};
    this.#core.drop(key);
    if (c !== undefined && command?.kind === "text") this.#change((state) => withReturned(state, c, command.text));
  }

  /** The key under which this page sent message `n`, if it did. */
  keyOf(c: string, n: number): string | undefined {
    return this.#core.keyOf(n, c);
  }

  /**
   * A command was refused. A voice message cannot return to a draft as a text can: it stays, marked, until a person
   * decides.
   */
  refused(entry: Entry, frame: FrameOf<"no">): void {
    const { command } = entry;
    if (command.kind === "audio" || (
      command.kind === "text" && mayPass(frame.code)
    )) return this.#core.keepRefused(frame);
    this.#core.drop(frame.no);
    this.#change((state) => afterNo(state, entry, frame));
  }
}
