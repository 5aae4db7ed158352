/** Time, chance and the network, as tests command them. */
import { parseAgentFrame } from "../../client/agent/agent-wire";
import type { ConversationEvent } from "../../client/conversation/events";
import type { Clock, SocketLike, TimerID } from "../../client/core/ports";
import { parseFrame } from "../../client/core/wire";

/** A clock that stands still until it is told to go on. */
export class ManualClock implements Clock {
  #time = 1_763_757_600_000;
  readonly #timers = new Map<TimerID, { at: number; run: () => void }>();
  #ids = 0;

  now(): number {
    return this.#time;
  }

  after(ms: number, run: () => void): TimerID {
    const id = ++this.#ids;
    this.#timers.set(id, { at: this.#time + Math.max(0, ms), run });
    return id;
  }

  cancel(id: TimerID): void {
    this.#timers.delete(id);
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** Lets `ms` pass; what falls due runs in order, and promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#time + ms;
    await settle();
    for (;;) {
      const due = [...this.#timers].filter(([, timer]) => timer.at <= end).sort(
        (a, b) => a[1].at - b[1].at || a[0] - b[0]
      )[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.#time = Math.max(this.#time, due[1].at);
      due[1].run();
      await settle();
    }
    this.#time = end;
  }
}

/** Lets promises that wait for nothing else go on. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 12; i++) await Promise.resolve();
}

/** A seeded source of chance (mulberry32): the same seed, the same run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** A socket whose other end is the test. */
export class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onerror: (() => void) | null = null;
  readonly sent: string[] = [];
  closed = false;

  send(text: string): void {
    if (!this.closed) this.sent.push(text);
  }

  close(): void {
    this.closed = true;
  }

  /** The frames that went out, as values. */
  get frames(): Record<string, unknown>[] {
    return this.sent.map((text) => JSON.parse(text) as Record<string, unknown>);
  }

  open(): void {
    this.onopen?.();
  }

  receive(frame: object): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  drop(code = 1006): void {
    this.closed = true;
    this.onclose?.({ code });
  }
}

/** An event as a consumer's client reads it; `undefined` where it is left out. */
export const consumerEvent = (event: object): ConversationEvent | undefined => eventOf(parseFrame, event);

/** An event as an agent's client reads it; `undefined` where it is left out. */
export const agentEvent = (event: object): ConversationEvent | undefined => eventOf(parseAgentFrame, event);

function eventOf(parse: typeof parseFrame, event: object): ConversationEvent | undefined {
  const frame = parse(JSON.stringify({ events: [event] }));
  return frame?.kind === "events" ? frame.events[0] : undefined;
}
