/**
 * What the widget needs only where the page around signs people in. The token stays in memory: the signed-in
 * conversation opens only with a fresh ID token, and closes with it.
 */
import { call, HTTPProblem, parseConsumer } from "../client/core/api";
import type { Consumer } from "../client/core/api";
import type { ConsumerSession } from "../client/consumer/consumer-session";
import type { ConsumerOptions } from "../client/consumer/consumer-state";
import type { SignIn } from "../client/consumer/identity";
import { number } from "../client/core/parse";
import type { TimerID } from "../client/core/ports";
import { AudioCache } from "../voice/storage/audio-cache";
import { DeviceDrafts } from "../voice/storage/drafts";
import { EncryptedValues } from "../voice/storage/encrypted-values";
import type { Host } from "./frame/host";

/** The part of a token's life after which a newer one is requested. */
const RENEW_AFTER = 0.75;
/** The wait after a renewal that failed. */
const RETRY_AFTER_MS = 2000;
/** How long the page around may take for an ID token. */
const TOKEN_WITHIN_MS = 30_000;
/** Storage names of the signed-in conversation, apart from those of the anonymous one. */
const AREA = "user.";

/** The person who is signed in on the page around. */
class SignedIn implements SignIn {
  readonly area = AREA;
  readonly signIn = this;
  /** Texts that were not sent yet, and drafts. */
  readonly storage: EncryptedValues;
  readonly #options: ConsumerOptions;
  readonly #place: string;
  readonly #port: MessagePort | undefined;
  #session: ConsumerSession | undefined;
  #timer: TimerID | undefined;

  /** `place` is the storage prefix of the anonymous conversation. */
  constructor(options: ConsumerOptions, place: string, storage: EncryptedValues, host: Host) {
    this.#options = options;
    this.storage = storage;
    this.#place = place;
    this.#port = host.port;
  }

  async create(): Promise<Consumer> {
    const { account, app, page, pageParameters, language, zone, fetch } = this.#options;
    const idToken = await this.#idToken();
    const arrival = { account, app, page, pageParameters, language, zone };
    const body = { ...arrival, idToken, device: this.#device() };
    const answer = await call(fetch, "POST", "/v1/consumers/sign-in", {}, body);
    const [consumer, seconds] = [parseConsumer(answer), number(answer["expiresIn"])];
    if (!consumer || seconds === undefined) throw new HTTPProblem(0, "bad_answer", "The answer is not a consumer.");
    if (this.storage.get("who") !== consumer.consumer) await wipe(this.#place, this.storage);
    this.storage.set("who", consumer.consumer);
    this.#renewAfter(seconds * 1000 * RENEW_AFTER);
    return consumer;
  }

  /** Sets the session that gets newer tokens. */
  attach(session: ConsumerSession): void {
    this.#session = session;
  }

  #renewAfter(ms: number): void {
    const { clock } = this.#options;
    if (this.#timer !== undefined) clock.cancel(this.#timer);
    this.#timer = clock.after(ms, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    const { consumer, phase } = this.#session?.store.get() ?? {};
    if (phase !== "ready") return;
    try {
      const renewed = await this.create();
      if (renewed.consumer === consumer?.consumer) this.#session?.renewed(renewed);
      // Another person signed in on the page meanwhile.
      else await this.#session?.renew();
    } catch {
      // The page may have no ID token now. The server closes the connection when the last token ends.
      this.#renewAfter(RETRY_AFTER_MS);
    }
  }

  /** Asks the page around for an ID token. Throws when it has none now, or does not answer. */
  #idToken(): Promise<string> {
    return new Promise((resolve, reject) => {
      const port = this.#port;
      const { clock } = this.#options;
      const answered = (data: unknown): void => {
        port?.removeEventListener("message", heard);
        clock.cancel(timer);
        if (typeof data === "string") resolve(data);
        else reject(new HTTPProblem(0, "no_id_token", "The page gave no ID token."));
      };
      // A boolean says that the launcher opened or closed the widget.
      const heard = ({ data }: MessageEvent<unknown>): void => {
        if (typeof data !== "boolean") answered(data);
      };
      const timer = clock.after(TOKEN_WITHIN_MS, () => answered(undefined));
      port?.addEventListener("message", heard);
      port?.postMessage({ idToken: 1 });
    });
  }

  /** The token of the anonymous consumer of this device: both conversations belong to one person. */
  #device(): string | undefined {
    try {
      const { token } = JSON.parse(this.#options.storage.get(`${this.#place}me`) ?? "{}") as { token?: unknown };
      return typeof token === "string" ? token : undefined;
    } catch {
      return undefined;
    }
  }
}

/** Takes what the page around did: signed a person in ("in"), or out. */
export async function enter(
  area: string, options: ConsumerOptions, host: Host,
): Promise<SignedIn | undefined> {
  const place = `earshot.${options.account}.${options.app}.`;
  const values = await EncryptedValues.open(place + AREA);
  if (area === "in") return new SignedIn(options, place, values, host);
  await wipe(place, values);
  return undefined;
}

/** Erases what the signed-in conversation left on this device: texts, drafts, recordings and their keys. */
async function wipe(place: string, values: EncryptedValues): Promise<void> {
  const books = ["", "survey"].map((book) => new DeviceDrafts(place + AREA + book));
  await values.wipe();
  // A device that stores nothing has nothing to erase.
  await Promise.all([...books.map((drafts) => drafts.wipe()), new AudioCache().leave(undefined)]).catch(() => {});
}
