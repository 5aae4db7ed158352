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
import { h } from "../voice/ui/dom";
import type { Host } from "./frame/host";
import { message, statusScreen } from "./frame/status-screen";
import { signInStrings } from "./sign-in-strings";

/** The part of a token's life after which a newer one is requested. */
const RENEW_AFTER = 0.75;
/** The wait after a renewal that failed. */
const RETRY_AFTER_MS = 2000;
/** How long the page around may take for an ID token. */
const TOKEN_WITHIN_MS = 30_000;
/** The shape of an ID token: signed, or encrypted. A server's error page has another one. */
const ID_TOKEN = /^[\w-]+(\.[\w-]*){2}((\.[\w-]*){2})?$/;
/** What the server answers to a token that opens nothing. */
const REFUSED = ["id_token_refused", "sign_in_not_set_up", "no_id_token"];
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
  readonly #host: Host;
  /** Whether only a person who is signed in may write. */
  readonly #required: boolean;
  /** An ID token that was not used yet. */
  #first: string | undefined;
  #problem = "";
  #isUnclear = false;
  #session: ConsumerSession | undefined;
  #timer: TimerID | undefined;

  /** `place` is the storage prefix of the anonymous conversation. */
  constructor(options: ConsumerOptions, place: string, storage: EncryptedValues, host: Host, required: boolean) {
    this.#options = options;
    this.storage = storage;
    this.#place = place;
    this.#host = host;
    this.#required = required;
  }

  /**
   * Asks the page for the first ID token. Returns "nobody" where it says that nobody is signed in, and "unclear" where
   * its answer is no ID token; both only if the page lets everyone write. Where the page fails now, the session asks
   * again.
   */
  async begin(): Promise<"person" | "nobody" | "unclear"> {
    try {
      this.#first = await this.#idToken();
    } catch {
      return "person";
    }
    if (this.#first !== "" || this.#required) return "person";
    return this.#isUnclear ? "unclear" : "nobody";
  }

  async create(): Promise<Consumer> {
    try {
      return await this.#signIn();
    } catch (error) {
      const { status, code, message: text } = error instanceof HTTPProblem ? error : new HTTPProblem(0, "", "");
      this.#problem = code;
      if (status !== 0) this.#host.tell({ error: `Earshot: the sign-in was refused (${code}). ${text}` });
      throw error;
    }
  }

  /** The screen of a refused sign-in. `undefined` where something else was refused. */
  readonly refused = (): HTMLElement | undefined => {
    const { failed, failedMore, missing, missingMore, again, anonymous } = signInStrings;
    if (!REFUSED.includes(this.#problem)) return undefined;
    const reload = (): void => location.reload();
    if (this.#problem === "no_id_token") return message(missing, missingMore, again, reload);
    const screen = message(failed, this.#required ? "" : failedMore, again, reload);
    if (this.#required) return screen;
    const other = h("button", { type: "button", class: "status-action quiet" }, anonymous);
    other.addEventListener("click", () => {
      history.replaceState(null, "", location.href.replace(/\barea=\w+/, "area="));
      reload();
    });
    screen.append(other);
    return screen;
  };

  async #signIn(): Promise<Consumer> {
    const { account, app, page, pageParameters, language, zone, fetch } = this.#options;
    const idToken = this.#first ?? await this.#idToken();
    this.#first = undefined;
    if (idToken === "") return this.#nobody();
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

  /** Nobody is signed in on the page any longer. */
  #nobody(): Promise<Consumer> {
    if (this.#required) throw new HTTPProblem(401, "no_id_token", "The page gave no ID token.");
    // The widget begins again, and finds that it is anonymous. An open conversation ends with its own token.
    if (this.#session?.store.get().phase !== "ready") location.reload();
    throw new HTTPProblem(0, "no_id_token", "The page gave no ID token.");
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

  /** Asks the page around for an ID token; "" where nobody is signed in. Throws when the page fails now. */
  #idToken(): Promise<string> {
    return new Promise((resolve, reject) => {
      const { port } = this.#host;
      const { clock } = this.#options;
      const answered = (data: unknown): void => {
        port?.removeEventListener("message", heard);
        clock.cancel(timer);
        if (typeof data === "string") resolve(this.#checked(data));
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

  /** An answer that is no ID token, such as an error page, means that nobody is signed in. */
  #checked(answer: string): string {
    this.#isUnclear = answer !== "" && !ID_TOKEN.test(answer);
    if (!this.#isUnclear) return answer;
    this.#host.tell({ error: `Earshot: the sign-in gave a text that is no ID token. Nobody is signed in.` });
    return "";
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

/**
 * Takes what the page around did: signed a person in ("in"; "must" where nobody else may write), or out. Returns
 * `undefined` for the anonymous conversation.
 */
export async function enter(
  area: string, options: ConsumerOptions, host: Host,
): Promise<SignedIn | undefined> {
  const place = `earshot.${options.account}.${options.app}.`;
  const values = await EncryptedValues.open(place + AREA);
  if (area !== "out") {
    const waiting = statusScreen("starting", false, { retryNow: () => {}, renew: () => {} });
    if (waiting) document.body.append(waiting);
    const signedIn = new SignedIn(options, place, values, host, area === "must");
    const who = await signedIn.begin();
    waiting?.remove();
    if (who === "person") return signedIn;
    // A page that fails may know the person a moment later: what they left stays.
    if (who === "unclear") return undefined;
  }
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
