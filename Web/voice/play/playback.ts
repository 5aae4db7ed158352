/**
 * The playback of one voice message: position, speed, skipped silences, and what was really played. No DOM; the audio
 * element is an argument.
 */
import type { Span } from "../../client/conversation/events";
import { silenceAt, silencesByWave } from "./silences";

/**
 * A sound to play: its address, and the moment of the message at which it begins (a piece that was fetched from the
 * middle).
 */
export interface Sound {
  readonly url: string;
  readonly base: number;
}

/** Where the sound is: called at the first play with the start position. Throws a `Fault` with a known reason. */
export type Source = string | ((from: number) => string | Sound | Promise<string | Sound>);

/** Why it does not play. `checked`: it still waits for the scanner; `erased`: it was deleted. */
export type FaultCode = "failed" | "checked" | "erased";

/** A failure of playback with a known reason. */
export class Fault extends Error {
  constructor(readonly code: FaultCode) {
    super(code);
  }
}

/** The state of a playback. */
export type PlayState = "idle" | "loading" | "playing" | "buffering" | "paused" | "failed";

/** What a playback needs from its player. */
export interface PlaybackOptions {
  readonly ms: number;
  readonly wave: readonly number[];
  readonly source: Source;
  /** A new audio element, levelled to the others where that is possible. */
  readonly make: () => Promise<HTMLAudioElement> | HTMLAudioElement;
  readonly rate: () => number;
  /** Silences are skipped. */
  readonly cut: () => boolean;
  /** Why the element could not play this address. */
  readonly explain?: (url: string) => Promise<FaultCode>;
  readonly changed: () => void;
  /** This span was really played. Called often, also with spans that were reported before. */
  readonly played: (from: number, to: number) => void;
  readonly ended: () => void;
}

/**
 * Waits until the element knows its duration. An earlier seek takes effect only then, and Chromium reports everything
 * before it as played.
 */
function known(audio: HTMLAudioElement): Promise<void> {
  if (audio.readyState > 0) return Promise.resolve();
  return new Promise((done) => {
    for (const name of ["loadedmetadata", "error"]) audio.addEventListener(name, () => done(), { once: true });
  });
}

/** A message that is closer to its end than this restarts. */
const AT_END_MS = 50;
/** A file's last frame may end so much before or after the message. */
const TAIL_MS = 400;

/** The state machine of one message. */
export class Playback {
  state: PlayState = "idle";
  fault: FaultCode = "failed";
  silences: readonly Span[];
  #at = 0;
  #audio: HTMLAudioElement | undefined;
  #base = 0;
  #turn = 0;
  readonly #options: PlaybackOptions;

  constructor(options: PlaybackOptions) {
    this.#options = options;
    this.silences = silencesByWave(options.wave, options.ms);
  }

  /** The position, in milliseconds. */
  get at(): number {
    return this.#at;
  }

  get active(): boolean {
    return this.state === "playing" || this.state === "buffering" || this.state === "loading";
  }

  async play(): Promise<void> {
    const turn = ++this.#turn;
    if (this.#at >= this.#options.ms - AT_END_MS) this.#at = 0;
    this.#become("loading");
    try {
      const audio = await this.#loaded(turn);
      if (turn !== this.#turn || !audio) return;
      audio.playbackRate = this.#options.rate();
      if (this.#at > this.#base) await known(audio);
      if (turn !== this.#turn) return;
      const here = (this.#at - this.#base) / 1000;
      if (Math.abs(audio.currentTime - here) > 0.05) audio.currentTime = here;
      await audio.play();
      if (turn === this.#turn) this.#become("playing");
      else if (!this.active) audio.pause();
    } catch (error) {
      if (turn === this.#turn) this.#failed(error);
    }
  }

  pause(): void {
    this.#turn += 1;
    this.#audio?.pause();
    this.#tell();
    if (this.active) this.#become("paused");
  }

  /** Moves to a moment. What is jumped over was not played. */
  seek(to: number): void {
    const { ms } = this.#options;
    this.#tell();
    this.#at = Math.min(ms, Math.max(0, Number.isFinite(to) ? to : 0));
    if (this.#at >= ms - AT_END_MS && this.active) return this.pause();
    if (this.#audio && this.#at < this.#base) return this.#again();
    if (this.#audio && this.#audio.readyState > 0) this.#audio.currentTime = (this.#at - this.#base) / 1000;
    this.#options.changed();
  }

  /** Takes over a new speed. */
  retime(): void {
    if (this.#audio) this.#audio.playbackRate = this.#options.rate();
  }

  /** Updates the position, on every animation frame. */
  step(): void {
    const audio = this.#audio;
    if (!audio || this.state !== "playing") return;
    this.#at = Math.min(this.#options.ms, this.#base + audio.currentTime * 1000);
    const silence = this.#options.cut() && !audio.seeking ? silenceAt(this.silences, this.#at) : undefined;
    if (!silence) return;
    // A skipped silence counts as played.
    this.#options.played(this.#at, silence[1]);
    this.#at = silence[1];
    audio.currentTime = (this.#at - this.#base) / 1000;
  }

  /** Releases the sound: the next play loads it again. */
  release(): void {
    this.pause();
    this.#drop();
  }

  /** The loaded part begins after the requested position. */
  #again(): void {
    const goesOn = this.active;
    this.#turn += 1;
    this.#drop();
    this.#become("paused");
    if (goesOn) void this.play();
  }

  #drop(): void {
    const audio = this.#audio;
    this.#audio = undefined;
    audio?.pause();
    audio?.removeAttribute("src");
  }

  async #loaded(turn: number): Promise<HTMLAudioElement | undefined> {
    if (this.#audio) return this.#audio;
    const { source } = this.#options;
    const found = typeof source === "string" ? source : await source(this.#at);
    const sound = typeof found === "string" ? { url: found, base: 0 } : found;
    const audio = await this.#options.make();
    if (turn !== this.#turn) return undefined;
    this.#listen(audio);
    audio.preload = "auto";
    audio.preservesPitch = true;
    audio.src = sound.url;
    this.#base = sound.base;
    this.#audio = audio;
    return audio;
  }

  #listen(audio: HTMLAudioElement): void {
    const on = (name: string, run: () => void): void => audio.addEventListener(
      name, () => this.#audio === audio && run(),
    );
    on("timeupdate", () => {
      this.step();
      this.#tell();
      this.#options.changed();
    });
    on("waiting", () => this.state === "playing" && this.#become("buffering"));
    on("playing", () => this.state === "buffering" && this.#become("playing"));
    // The browser itself paused it: a headset was unplugged, a media key was pressed.
    on("pause", () => this.state === "playing" && !audio.ended && this.pause());
    on("ended", () => this.#ended());
    on("error", () => this.state !== "failed" && void this.#broken(audio));
  }

  /** What the element played so far. It counts at any speed, and a jump leaves a gap. */
  #tell(): number {
    const played = this.#audio?.played;
    let last = 0;
    for (let i = 0; i < (played?.length ?? 0); i++) {
      const [from, to] = [this.#base + (played?.start(i) ?? 0) * 1000, this.#base + (played?.end(i) ?? 0) * 1000];
      last = Math.max(last, to);
      this.#options.played(from, Math.min(to, this.#options.ms));
    }
    return last;
  }

  #ended(): void {
    const last = this.#tell();
    if (last >= this.#options.ms - TAIL_MS) this.#options.played(last, this.#options.ms);
    this.#turn += 1;
    this.#at = 0;
    if (this.#base > 0) this.#drop();
    this.#become("idle");
    this.#options.ended();
  }

  async #broken(audio: HTMLAudioElement): Promise<void> {
    const code = (await this.#options.explain?.(audio.currentSrc || audio.src).catch(() => undefined)) ?? "failed";
    if (this.#audio === audio) this.#failed(new Fault(code));
  }

  #failed(error: unknown): void {
    // A browser that requires a gesture first can play the sound later.
    if (error instanceof DOMException && error.name === "NotAllowedError") return this.#become("paused");
    // The element reports the reason in its `error` event.
    if (error instanceof DOMException && error.name === "NotSupportedError" && this.#audio) return;
    this.fault = error instanceof Fault ? error.code : "failed";
    this.#turn += 1;
    this.#drop();
    this.#become("failed");
  }

  #become(state: PlayState): void {
    this.state = state;
    this.#options.changed();
  }
}

/** Asks the server why `url` does not play: an audio element only reports that it failed. */
export async function faultOf(url: string): Promise<FaultCode> {
  if (!url.startsWith("http")) return "failed";
  const { status } = await fetch(url, { headers: { range: "bytes=0-0" } });
  return status === 404 || status === 410 ? "erased" : status === 409 ? "checked" : "failed";
}
