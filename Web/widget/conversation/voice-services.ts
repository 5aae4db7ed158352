/**
 * What the players of the widget need once there is a voice message: its sound, downloads, catch-up play, and copies on
 * the device.
 */
import { bearer } from "../../client/core/api";
import type { ConsumerSession } from "../../client/consumer/consumer-session";
import type { Bubble } from "../../client/conversation/thread";
import { AudioSource } from "../../voice/play/audio-source";
import type { AudioAccess, AudioRequest } from "../../voice/play/audio-source";
import type { CatchUp } from "../../voice/play/catchup";
import { download } from "../../voice/play/download";
import { mediaURL } from "../../voice/play/formats";
import { playNext } from "../../voice/play/unplayed";
import { AudioCache } from "../../voice/storage/audio-cache";

/** How long after the conversation was shown its messages are prefetched: no one waits for them then. */
const PREFETCH_AFTER_MS = 4000;
/** From this number of unplayed messages on, they can be played one after the other. */
const CATCH_UP_FROM = 2;

/** One object for each page; made when the first voice message is shown. */
export class VoiceServices {
  /** Where the sound of a message comes from. */
  readonly source = new AudioSource(() => this.#access(), new AudioCache());
  readonly #session: ConsumerSession;
  readonly #list: HTMLElement;
  readonly #bar: HTMLElement;
  #catchUp: Promise<CatchUp> | undefined;
  #prefetch: ReturnType<typeof setTimeout> | undefined;
  #prefetched = "";
  #requests: readonly AudioRequest[] = [];

  /** `list` shows the conversation; `bar` is the place of the catch-up bar. */
  constructor(session: ConsumerSession, list: HTMLElement, bar: HTMLElement) {
    this.#session = session;
    this.#list = list;
    this.#bar = bar;
  }

  /** Follows the voice messages that are shown now: offers catch-up play, and prefetches the newest ones. */
  follow(messages: readonly Bubble[]): void {
    if (messages.filter(({ unplayed }) => unplayed).length >= CATCH_UP_FROM) this.#catchUp ??= this.#offerCatchUp();
    void this.#catchUp?.then((bar) => bar.update());
    this.#requests = messages.flatMap(requestOf);
    if (this.#names() === this.#prefetched || this.#prefetch !== undefined || !mayPrefetch()) return;
    this.#prefetch = setTimeout(() => {
      [this.#prefetch, this.#prefetched] = [undefined, this.#names()];
      // Without a network, or where the browser stores nothing, there is nothing to do.
      this.source.prefetch(this.#requests).catch(() => {});
    }, PREFETCH_AFTER_MS);
  }

  /** Erases every sound on this device. */
  wipe(): Promise<void> {
    this.#prefetched = "";
    return this.source.leave(undefined);
  }

  /** Downloads a message. Throws `DownloadRefused`. */
  async download(media: string, format: "mp3" | "original"): Promise<void> {
    const { conversation, headers } = this.#access();
    await download(mediaURL(conversation, media, format) + (format === "original" ? "" : "?download=1"), headers);
  }

  async #offerCatchUp(): Promise<CatchUp> {
    const { CatchUp } = await import("../../voice/play/catchup");
    const bar = new CatchUp(this.#list, undefined, CATCH_UP_FROM);
    this.#bar.append(bar.element);
    this.#list.addEventListener("keydown", (event) => {
      if (event.key === "n" && !event.ctrlKey && !event.metaKey && !event.altKey && playNext(this.#list))
        event.preventDefault();
    });
    return bar;
  }

  #names(): string {
    return `${this.#access().conversation} ${this.#requests.map(({ media }) => media).join(" ")}`;
  }

  #access(): AudioAccess {
    const { consumer, settings } = this.#session.store.get();
    return {
      conversation: consumer?.conversation ?? "", headers: bearer(consumer?.token ?? ""), keep: settings.audio.keep,
    };
  }
}

/** Only messages that are on the server and may be played. */
const requestOf = ({ n, said }: Bubble): AudioRequest[] =>
  said.kind === "audio" && n > 0 && said.audio.scan === undefined ? [
    { media: said.audio.media, n, ms: said.audio.ms },
  ] : [];

/** Returns false on metered and slow connections. */
function mayPrefetch(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData !== true && !/2g|3g/.test(connection?.effectiveType ?? "");
}
