/** A server in memory, as small as the protocol allows, with pipes that lose, repeat and reorder what is on the way. */
import { FakeSocket } from "./support";

type Frame = Record<string, unknown>;
type Stored = Frame & { n: number; by: number };
type Span = [number, number];

/** One socket: what is on the way to the client and to the server, and what this client said here. */
export class Pipe extends FakeSocket {
  readonly down: Frame[] = [];
  readonly up: string[] = [];
  ready = false;

  constructor(private readonly server: ModelServer) {
    super();
  }

  override send(text: string): void {
    if (!this.closed) this.up.push(text);
  }

  /** The server takes the next frame of this client. */
  take(): void {
    const text = this.up.shift();
    if (text !== undefined) this.server.receive(this, JSON.parse(text) as Frame);
  }

  /** The client gets the next frame. */
  give(): void {
    const frame = this.down.shift();
    if (frame && !this.closed) this.receive(frame);
  }
}

/** How long every voice message is. */
export const VOICE_MS = 10_000;

export class ModelServer {
  readonly log: Stored[] = [];
  readonly pipes: Pipe[] = [];
  readonly #keys = new Map<string, Stored>();
  /** By message and activeRecorder: which tenths of it were played. */
  readonly #played = new Map<string, Set<number>>();
  readonly snapshotSize = 50;

  open(): Pipe {
    const pipe = new Pipe(this);
    this.pipes.push(pipe);
    return pipe;
  }

  receive(pipe: Pipe, frame: Frame): void {
    if (frame["hello"]) return this.#hello(pipe, frame["hello"] as Frame);
    if (typeof frame["send"] === "string") return this.#send(pipe, frame["send"], String(frame["text"]));
    if (typeof frame["played"] === "number") return this.hear(frame["played"], 1, frame["spans"] as Span[]);
    if ("page" in frame) this.#page(pipe, Number(frame["before"]), Number(frame["limit"]));
  }

  /** Somebody else speaks. */
  append(by: number, text: string, said?: Pipe): Stored {
    const event = { n: this.log.length + 1, at: this.log.length * 10, by, text };
    this.log.push(event);
    for (const pipe of this.pipes) if (pipe.ready && pipe !== said) pipe.down.push({ events: [event] });
    return event;
  }

  /** Somebody else speaks with their voice: ten seconds, which wait for the scanner. */
  speak(by: number): void {
    const event = {
      n: this.log.length + 1,
      at: this.log.length * 10,
      by,
      audio: { media: `m${this.log.length}`, ms: VOICE_MS, wave: [], bytes: 1, scan: "pending" },
    };
    this.log.push(event);
    this.#tell({ events: [event] });
  }

  /** The scanner lets the oldest message through that waits. */
  scan(verdict: string): void {
    const done = this.log.map((event) => (event["scanned"] as Frame | undefined)?.["of"]);
    const waits = this.log.find((event) => event["audio"] && !done.includes(event.n));
    if (!waits) return;
    const event = { n: this.log.length + 1, at: this.log.length * 10, by: 0, scanned: { of: waits.n, verdict } };
    this.log.push(event);
    this.#tell({ events: [event] });
  }

  /** Playback progress only grows, and the author of a message adds nothing to it. */
  hear(n: number, by: number, spans: readonly Span[]): void {
    const said = this.log[n - 1];
    if (!said?.["audio"] || (said.by === 1) === (by === 1)) return;
    const name = `${n} ${by}`;
    const tenths = new Set(this.#played.get(name));
    for (const [from, to] of spans)
      for (let tenth = 0; tenth < 10; tenth++) if (from <= tenth * 1000 && to >= (tenth + 1) * 1000) tenths.add(tenth);
    if (tenths.size === (this.#played.get(name)?.size ?? 0)) return;
    this.#played.set(name, tenths);
    this.#tell({ played: [this.#row(name)] });
  }

  /** What everybody is told in the end. */
  get heardRows(): unknown[] {
    return [...this.#played.keys()].map((name) => this.#row(name)).sort();
  }

  #row(name: string): [number, number, number, number] {
    const [n = 0, by = 0] = name.split(" ").map(Number);
    const percent = (this.#played.get(name)?.size ?? 0) * 10;
    return [n, by, percent, percent >= 80 ? 1 : 0];
  }

  #tell(frame: Frame): void {
    for (const pipe of this.pipes) if (pipe.ready) pipe.down.push(frame);
  }

  #hello(pipe: Pipe, hello: Frame): void {
    const goesOn = hello["epoch"] === "E";
    const events = goesOn ? this.log.slice(Number(hello["after"])) : this.log.slice(-this.snapshotSize);
    const more = !goesOn && this.log.length > this.snapshotSize;
    pipe.ready = true;
    pipe.down.push(
      {
        ready: {
          epoch: "E",
          me: 1,
          status: "open",
          people: [],
          marks: [],
          events,
          played: this.heardRows,
          through: this.log.length,
          more,
        },
      }
    );
  }

  #send(pipe: Pipe, key: string, text: string): void {
    const known = this.#keys.get(key);
    const event = known ?? this.append(1, text, pipe);
    this.#keys.set(key, event);
    pipe.down.push({ ok: key, n: event.n, at: event["at"] });
  }

  #page(pipe: Pipe, before: number, limit: number): void {
    const below = this.log.filter((event) => event.n < before);
    pipe.down.push({ page: "C", events: below.slice(-limit), played: this.heardRows, more: below.length > limit });
  }
}
