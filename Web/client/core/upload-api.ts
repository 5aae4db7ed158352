/** Where a recording goes: the upload routes of docs/protocol.md. A file of its own, because only recorders need it. */
import { call, HTTPProblem } from "./api";
import type { Credentials, Fetch } from "./api";
import { contentDigest } from "./digest";
import type { AudioContent } from "../conversation/events";
import { number, string } from "./parse";
import { read } from "./shapes";
import { audio as audioShape } from "../../protocol/shapes";
import type { Json } from "./parse";

/** The five verbs of an upload. */
export class UploadAPI {
  readonly #fetch: Fetch;
  readonly #credentials: Credentials;
  readonly #digest: (bytes: Blob) => Promise<string | undefined>;

  constructor(fetch: Fetch, credentials: Credentials, digest = (bytes: Blob) => contentDigest(bytes)) {
    this.#fetch = fetch;
    this.#credentials = credentials;
    this.#digest = digest;
  }

  /** Opens the upload of `draft`, or returns the existing one with what it has received. */
  async open(conversation: string, draft: string, mime: string): Promise<{ upload: string; received: number }> {
    return this.begin("/v1/uploads", { conversation, draft }, mime);
  }

  protected async begin(path: string, place: object, mime: string): Promise<{ upload: string; received: number }> {
    const answer = await this.#call("POST", path, { ...place, ...(mime === "" ? {} : { mime }) });
    return { upload: string(answer["upload"]) ?? "", received: number(answer["received"]) ?? 0 };
  }

  /** Appends bytes, with their digest where the browser computes it: the server refuses what was damaged on the way. */
  async append(upload: string, offset: number, bytes: Blob): Promise<number> {
    const digest = await this.#digest(bytes);
    const header: Record<string, string> = digest === undefined ? {} : { "content-digest": digest };
    const answer = await this.#call("PATCH", `/v1/uploads/${upload}?offset=${offset}`, bytes, header);
    return number(answer["received"]) ?? offset + bytes.size;
  }

  /** What the server made of it. Idempotent. */
  async finish(upload: string, bytes: number): Promise<AudioContent> {
    const audio = read(audioShape, await this.#call("POST", `/v1/uploads/${upload}/finish`, { bytes }));
    if (!audio) throw new HTTPProblem(0, "bad_answer", "The answer is not a recording.");
    return audio;
  }

  async abort(upload: string): Promise<void> {
    await this.#call("DELETE", `/v1/uploads/${upload}`);
  }

  #call(method: string, url: string, body?: object | Blob, header: Record<string, string> = {}): Promise<Json> {
    return call(this.#fetch, method, url, { ...this.#credentials(), ...header }, body);
  }
}
