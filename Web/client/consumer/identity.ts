/** Who this device is to the brand: an anonymous consumer, kept by its token, or a person whom the page signed in. */
import { createConsumer, HTTPProblem, parseConsumer, returnConsumer } from "../core/api";
import type { Consumer, Fetch } from "../core/api";
import type { KeyValue } from "../core/ports";

/** How a person whom the page around signed in becomes a consumer. */
export interface SignIn {
  /** What is added to storage names, so that neither area finds what the other stored. */
  readonly area: string;
  create(): Promise<Consumer>;
}

/** Who the consumer is to the brand, and where that is stored. */
export interface IdentityOptions {
  readonly account: string;
  readonly app: string;
  /** The page on which the consumer began. */
  readonly page?: string;
  /** The parameters of the page's address that the brand named. */
  readonly pageParameters?: Readonly<Record<string, string>>;
  readonly language?: string;
  /** The time zone of this device. The server writes times in it. */
  readonly zone?: string;
  /** Omitted for the anonymous consumer of this device. */
  readonly signIn?: SignIn | undefined;
  readonly fetch: Fetch;
  readonly storage: KeyValue;
}

/** The consumer of this device, and small values that are stored for them. */
export class Identity {
  /** The storage prefix for this account and app. */
  readonly place: string;
  readonly #options: IdentityOptions;

  constructor(options: IdentityOptions) {
    this.#options = options;
    this.place = `earshot.${options.account}.${options.app}.${options.signIn?.area ?? ""}`;
  }

  /** What this device kept. Enough to begin at once, before the server was asked. A signed-in person's is not kept. */
  kept(): Consumer | undefined {
    try {
      return parseConsumer(JSON.parse(this.noted("me") ?? "null"));
    } catch {
      return undefined;
    }
  }

  keep(consumer: Consumer): void {
    if (this.#options.signIn) return;
    const kept = this.kept();
    if (kept && kept.conversation !== consumer.conversation) this.forget();
    this.note("me", JSON.stringify(consumer));
  }

  /** The former consumer stays stored under another name: what was forgotten by mistake can be restored by hand. */
  forget(): void {
    const me = this.noted("me");
    if (me) this.note("former", me);
    for (const name of ["me", "read", "draft"]) this.note(name, "");
  }

  /**
   * Stores a small value; "" removes it. Where storage is full or blocked this page continues, and the next one starts
   * over.
   */
  note(name: string, value: string): void {
    try {
      if (value === "") this.#options.storage.remove(this.place + name);
      else this.#options.storage.set(this.place + name, value);
    } catch {
      // See above.
    }
  }

  noted(name: string): string | undefined {
    try {
      return this.#options.storage.get(this.place + name);
    } catch {
      return undefined;
    }
  }

  create(): Promise<Consumer> {
    const { account, app, page, pageParameters, language, zone, signIn } = this.#options;
    return signIn ? signIn.create() : createConsumer(
      this.#options.fetch, { account, app, page, pageParameters, language, zone },
    );
  }

  /**
   * Returns with a token. A token that the server says is no longer valid is dropped, and a new consumer is created.
   * Every other refusal keeps it: `not_yet_valid` says that the server's clock is wrong and that the token will be good
   * again, and a 401 without Earshot's code comes from something in between, such as a proxy.
   */
  async comeBack(token: string): Promise<Consumer> {
    try {
      return await returnConsumer(this.#options.fetch, token, { zone: this.#options.zone });
    } catch (error) {
      if (!(error instanceof HTTPProblem) || error.code !== "not_signed_in") throw error;
      this.forget();
      return this.create();
    }
  }
}
