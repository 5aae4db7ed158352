/** The consumer's voice messages, as the players want them. What fetches and keeps them comes with the first one that is played. */
import { bearer } from "../client/core/api";
import type { ConsumerSession } from "../client/consumer/consumer-session";
import type { Bubble } from "../client/conversation/thread";
import type { CatchUp } from "../voice/play/catchup";
import { h } from "../voice/ui/dom";
import type { Voice } from "../voice/ui/lazy-player";
import type { Access, AudioSource, AudioRequest } from "../voice/play/audio-source";
import type { Row } from "./rows";

/** So long after the conversation was shown, its sounds are brought onto the device: nobody waits for them then. */
const BRING_AFTER_MS = 4000;
/** From so many unplayed messages on, they can be played one after the other. */
const CATCH_UP_FROM = 2;

export class Players {
  /** Where catch-up play shows itself. */
  readonly element = h("div", { class: "catch-up" });
  #sounds: Promise<AudioSource> | undefined;
  #catchUp: Promise<CatchUp> | undefined;
  #bringing: ReturnType<typeof setTimeout> | undefined;
  #brought = "";
  #wanted: readonly AudioRequest[] = [];
  readonly #session: ConsumerSession;
  readonly #list: () => HTMLElement;

  /** `list` holds the conversation. */
  constructor(session: ConsumerSession, list: () => HTMLElement) {
    this.#session = session;
    this.#list = list;
  }

  /** Looks at what is shown now: offers catch-up play, and keeps the newest messages on the device. */
  follow(rows: readonly Row[]): void {
    const voices = rows.filter((row): row is Bubble => row.row === "bubble" && row.said.kind === "audio");
    if (voices.length === 0) return;
    if (voices.filter(({ unplayed }) => unplayed).length >= CATCH_UP_FROM) this.#catchUp ??= this.#offer();
    void this.#catchUp?.then((bar) => bar.update());
    this.#wanted = voices.flatMap(wantedOf);
    if (this.#names() !== this.#brought && this.#bringing === undefined && mayPrefetch()) this.#bringing = setTimeout(() => this.#bring(), BRING_AFTER_MS);
  }

  #bring(): void {
    [this.#bringing, this.#brought] = [undefined, this.#names()];
    // Without a network, or where the browser keeps nothing, there is nothing to do.
    this.#load().then((sounds) => sounds.bring(this.#wanted)).catch(() => {});
  }

  #names(): string {
    return `${this.#access().conversation} ${this.#wanted.map(({ media }) => media).join(" ")}`;
  }

  /** Another person has this device now, or nobody: no sound of the one before remains. */
  wipe(): void {
    this.#brought = "";
    void this.#load().then((sounds) => sounds.leave(undefined)).catch(() => {});
  }

  of({ n, own, said, unplayed }: Bubble): Voice {
    if (said.kind !== "audio") throw new Error("no voice message");
    const { media, ms, wave, loud, scan } = said.audio;
    const wanted = { media, n, ms };
    const { playbackProgress } = this.#session;
    return [
      { ms, wave, ...(loud === undefined ? {} : { loud }), ...(scan ? { scan } : {}) },
      async (from) => (await this.#load()).sound(wanted, from),
      {
        media, own, who: this.#access().conversation, unplayed: unplayed === true,
        bytes: async () => (await this.#load()).bytes(wanted),
        downloads: { mp3: () => this.#download(media, "mp3"), original: () => this.#download(media, "original") },
        ...(own ? {} : { played: (from, to) => playbackProgress.played(n, from, to), rested: () => playbackProgress.flush() }),
      },
    ];
  }

  async #offer(): Promise<CatchUp> {
    const [{ CatchUp, playNext }] = await Promise.all([import("../voice/play/catchup"), import("../voice/ui/player").then((code) => code.defineAudioPlayer())]);
    const [list, bar] = [this.#list(), new CatchUp(this.#list(), undefined, CATCH_UP_FROM)];
    this.element.append(bar.element);
    list.addEventListener("keydown", (event) => {
      if (event.key === "n" && !event.ctrlKey && !event.metaKey && !event.altKey && playNext(list)) event.preventDefault();
    });
    return bar;
  }

  #access(): Access {
    const { consumer, settings } = this.#session.store.get();
    return { conversation: consumer?.conversation ?? "", headers: bearer(consumer?.token ?? ""), keep: settings.audio.keep };
  }

  async #download(media: string, format: "mp3" | "original"): Promise<void> {
    const [{ download }, { mediaURL }] = await Promise.all([import("../voice/play/download"), import("../voice/play/formats")]);
    const { conversation, headers } = this.#access();
    await download(mediaURL(conversation, media, format) + (format === "original" ? "" : "?download=1"), headers);
  }

  #load(): Promise<AudioSource> {
    this.#sounds ??= import("../voice/play/retention").then(({ retention }) => retention(() => this.#access()));
    this.#sounds.catch(() => (this.#sounds = undefined));
    return this.#sounds;
  }
}

/** Only what is on the server and may be played. */
const wantedOf = ({ n, said }: Bubble): AudioRequest[] =>
  said.kind === "audio" && n > 0 && said.audio.scan === undefined ? [{ media: said.audio.media, n, ms: said.audio.ms }] : [];

/** Not where somebody counts bytes. */
function mayPrefetch(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData !== true && !/2g|3g/.test(connection?.effectiveType ?? "");
}
