/** Voice messages are private: fetched with the token in a header, never by an address that anyone could open. */

/** So many sounds stay in memory. */
const KEEP = 20;

export class Sounds {
  readonly #urls = new Map<string, Promise<string>>();

  constructor(private readonly access: () => { conversation: string; headers: Record<string, string> }) {}

  /** A local address of the sound; fetched once, and again after a failure. */
  url(media: string): Promise<string> {
    const known = this.#urls.get(media);
    if (known) return known;
    const url = this.#load(media);
    this.#urls.set(media, url);
    url.catch(() => this.#urls.delete(media));
    this.#makeRoom();
    return url;
  }

  async #load(media: string): Promise<string> {
    const { conversation, headers } = this.access();
    const response = await fetch(`/v1/media/${conversation}/${media}.mp3`, { headers });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return URL.createObjectURL(await response.blob());
  }

  #makeRoom(): void {
    for (const [media, url] of this.#urls) {
      if (this.#urls.size <= KEEP) return;
      this.#urls.delete(media);
      void url.then((address) => URL.revokeObjectURL(address), () => {});
    }
  }
}
