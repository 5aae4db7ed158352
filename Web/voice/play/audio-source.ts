/**
 * A consumer's voice messages are private: loaded with the token in a header, never by an address that anyone could
 * open. A message that is started in its middle is loaded from there on, and its beginning after that.
 */
import { Fault } from "./playback";
import type { Sound } from "./playback";
import { mediaURL, mp3From, MP3_FRAME_BYTES, MP3_FRAME_MS, ownFormat } from "./formats";
import type { AudioCache } from "../storage/audio-cache";

/** Whose messages are loaded, and with which credentials. */
export interface AudioAccess {
  readonly conversation: string;
  readonly headers: Record<string, string>;
  /** How many are kept on the device. */
  readonly keep: number;
}

/** Which message. */
export interface AudioRequest {
  readonly media: string;
  readonly n: number;
  readonly ms: number;
}

/** So many sounds stay in memory. */
const KEEP = 20;
/** A start earlier than this is fetched with its beginning: that takes no longer. */
const MIDDLE_MS = 10_000;

/** Loads messages, and keeps them in memory and on the device. */
export class AudioSource {
  readonly #whole = new Map<string, Promise<Blob>>();
  readonly #urls = new Map<string, string>();
  readonly #access: () => AudioAccess;
  readonly #cache: AudioCache;
  readonly #fetch: typeof globalThis.fetch;

  constructor(
    access: () => AudioAccess,
    cache: AudioCache,
    fetch: typeof globalThis.fetch = (...all) => globalThis.fetch(...all),
  ) {
    this.#access = access;
    this.#cache = cache;
    this.#fetch = fetch;
  }

  /** The sound, to be played from `from` on. */
  async sound(wanted: AudioRequest, from: number): Promise<string | Sound> {
    const piece = from >= MIDDLE_MS && ownFormat() === "mp3" && !this.#whole.has(wanted.media)
      ? await this.#piece(wanted, from)
      : undefined;
    return piece ?? this.#url(wanted.media, await this.#blob(wanted));
  }

  async bytes(wanted: AudioRequest): Promise<ArrayBuffer> {
    return (await this.#blob(wanted)).arrayBuffer();
  }

  /** Downloads the newest messages to the device, one after the other, so that they play without a network. */
  async prefetch(all: readonly AudioRequest[]): Promise<void> {
    const { conversation, keep } = this.#access();
    await this.#cache.leave(conversation);
    await this.#cache.trim(conversation, keep);
    const held = await this.#cache.held(conversation);
    const newest = [...all].sort((a, b) => b.n - a.n).slice(0, keep);
    for (const wanted of newest.filter(({ media }) => !held.includes(media))) await this.#fetched(wanted);
  }

  /** Removes everything but `owner`'s messages, in memory and on the device. */
  async leave(owner: string | undefined): Promise<void> {
    for (const url of this.#urls.values()) URL.revokeObjectURL(url);
    this.#urls.clear();
    this.#whole.clear();
    await this.#cache.leave(owner);
  }

  /** The whole message; fetched once, and again after a failure. */
  #blob(wanted: AudioRequest): Promise<Blob> {
    const { media } = wanted;
    const known = this.#whole.get(media);
    if (known) return known;
    const blob = this.#kept(wanted).then((kept) => kept ?? this.#fetched(wanted));
    this.#whole.set(media, blob);
    blob.catch(() => this.#whole.delete(media));
    this.#makeRoom();
    return blob;
  }

  async #kept({ media }: AudioRequest): Promise<Blob | undefined> {
    const bytes = await this.#cache.take(this.#access().conversation, media).catch(() => undefined);
    return bytes && new Blob([bytes], { type: "audio/mpeg" });
  }

  async #fetched(wanted: AudioRequest): Promise<Blob> {
    return this.#keep(wanted, await (await this.#ask(wanted.media)).blob());
  }

  async #keep({ media, n }: AudioRequest, blob: Blob): Promise<Blob> {
    const { conversation, keep } = this.#access();
    // Blocked storage: it plays, and is fetched again the next time.
    if (blob.type === "audio/mpeg") await this.#cache.put(
      conversation, media, n, await blob.arrayBuffer(), keep,
    ).catch(() => {});
    return blob;
  }

  /** From the middle to the end; `undefined` where the server or the file does not divide so. */
  async #piece(wanted: AudioRequest, from: number): Promise<Sound | undefined> {
    if (await this.#cache.take(this.#access().conversation, wanted.media).catch(() => undefined)) return undefined;
    const { byte, base } = mp3From(from);
    const response = await this.#ask(wanted.media, `bytes=${byte}-`);
    const whole = Number(/\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1]);
    const tail = await response.blob();
    if (response.status !== 206 || !isConstant(whole, wanted.ms)) return undefined;
    const head = this.#ask(wanted.media, `bytes=0-${byte - 1}`).then((first) => first.blob());
    const all = head.then((first) => this.#keep(wanted, new Blob([first, tail], { type: "audio/mpeg" })));
    this.#whole.set(wanted.media, all);
    all.catch(() => this.#whole.delete(wanted.media));
    return { url: URL.createObjectURL(new Blob([tail], { type: "audio/mpeg" })), base };
  }

  async #ask(media: string, range?: string): Promise<Response> {
    const { conversation, headers } = this.#access();
    // Never into the browser's own cache: what is stored on this device is encrypted.
    const response = await this.#fetch(
      mediaURL(conversation, media),
      { headers: range === undefined ? headers : { ...headers, range }, cache: "no-store" },
    );
    if (response.ok) return response;
    throw new Fault(
      response.status === 404 || response.status === 410 ? "erased" : response.status === 409 ? "checked" : "failed"
    );
  }

  #url(media: string, blob: Blob): string {
    const url = this.#urls.get(media) ?? URL.createObjectURL(blob);
    this.#urls.set(media, url);
    return url;
  }

  #makeRoom(): void {
    for (const media of [...this.#whole.keys()].slice(0, Math.max(0, this.#whole.size - KEEP))) {
      this.#whole.delete(media);
      const url = this.#urls.get(media);
      if (url !== undefined) URL.revokeObjectURL(url);
      this.#urls.delete(media);
    }
  }
}

/**
 * Whether the file has the constant bit rate of our encoder: only then a time maps to a byte. A header and a few frames
 * are tolerated.
 */
export const isConstant = (bytes: number, ms: number): boolean =>
  Math.abs(bytes / MP3_FRAME_BYTES - ms / MP3_FRAME_MS) < 8;
