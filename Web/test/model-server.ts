/** A server in memory, as small as the protocol allows, with pipes that lose, repeat and reorder what is on the way. */
import { FakeSocket } from "./support";

type Frame = Record<string, unknown>;
type Stored = Frame & { n: number; by: number };

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

export class ModelServer {
  readonly log: Stored[] = [];
  readonly pipes: Pipe[] = [];
  readonly #keys = new Map<string, Stored>();
  readonly snapshotSize = 50;

  open(): Pipe {
    const pipe = new Pipe(this);
    this.pipes.push(pipe);
    return pipe;
  }

  receive(pipe: Pipe, frame: Frame): void {
    if (frame["hello"]) return this.#hello(pipe, frame["hello"] as Frame);
    if (typeof frame["send"] === "string") return this.#send(pipe, frame["send"], String(frame["text"]));
    if ("page" in frame) this.#page(pipe, Number(frame["before"]), Number(frame["limit"]));
  }

  /** Somebody else speaks. */
  append(by: number, text: string, said?: Pipe): Stored {
    const event = { n: this.log.length + 1, at: this.log.length * 10, by, text };
    this.log.push(event);
    for (const pipe of this.pipes) if (pipe.ready && pipe !== said) pipe.down.push({ events: [event] });
    return event;
  }

  #hello(pipe: Pipe, hello: Frame): void {
    const goesOn = hello["epoch"] === "E";
    const events = goesOn ? this.log.slice(Number(hello["after"])) : this.log.slice(-this.snapshotSize);
    const more = !goesOn && this.log.length > this.snapshotSize;
    pipe.ready = true;
    pipe.down.push({ ready: { epoch: "E", me: 1, status: "open", people: [], marks: [], events, through: this.log.length, more } });
  }

  #send(pipe: Pipe, key: string, text: string): void {
    const known = this.#keys.get(key);
    const event = known ?? this.append(1, text, pipe);
    this.#keys.set(key, event);
    pipe.down.push({ ok: key, n: event.n, at: event["at"] });
  }

  #page(pipe: Pipe, before: number, limit: number): void {
    const below = this.log.filter((event) => event.n < before);
    pipe.down.push({ page: "C", events: below.slice(-limit), more: below.length > limit });
  }
}
