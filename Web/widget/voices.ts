/** The consumer's voice messages, as the players want them. What fetches and keeps them comes with the first one that is played. */
import { bearer } from "../client/api";
import type { ConsumerSession } from "../client/consumer";
import type { Bubble } from "../client/thread";
import type { Voice } from "../voice/mount";
import type { Access, Sounds, Wanted } from "../voice/sounds";

export class Voices {
  #sounds: Promise<Sounds> | undefined;

  constructor(private readonly session: ConsumerSession) {}

  of({ n, own, said, unheard }: Bubble): Voice {
    if (said.kind !== "audio") throw new Error("no voice message");
    const { media, ms, wave, loud, scan } = said.audio;
    const wanted: Wanted = { media, n, ms };
    const { hearing } = this.session;
    return [
      { ms, wave, ...(loud === undefined ? {} : { loud }), ...(scan ? { scan } : {}) },
      async (from) => (await this.#load()).sound(wanted, from),
      {
        media, own, who: this.#access().conversation, unheard: unheard === true,
        bytes: async () => (await this.#load()).bytes(wanted),
        downloads: { mp3: () => this.#download(media, "mp3"), original: () => this.#download(media, "original") },
        ...(own ? {} : { played: (from, to) => hearing.played(n, from, to), rested: () => hearing.flush() }),
      },
    ];
  }

  #access(): Access {
    const { consumer, settings } = this.session.store.get();
    return { conversation: consumer?.conversation ?? "", headers: bearer(consumer?.token ?? ""), keep: settings.audio.keep };
  }

  async #download(media: string, format: "mp3" | "original"): Promise<void> {
    const [{ download }, { mediaURL }] = await Promise.all([import("../voice/download"), import("../voice/formats")]);
    const { conversation, headers } = this.#access();
    await download(mediaURL(conversation, media, format) + (format === "original" ? "" : "?download=1"), headers);
  }

  #load(): Promise<Sounds> {
    this.#sounds ??= import("../voice/keeping").then(({ keeping }) => keeping(() => this.#access()));
    this.#sounds.catch(() => (this.#sounds = undefined));
    return this.#sounds;
  }
}
