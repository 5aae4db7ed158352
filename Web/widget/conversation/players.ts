/**
 * The consumer's voice messages as the players show them. What loads, keeps and downloads their sound is loaded when it
 * is first needed.
 */
import type { ConsumerSession } from "../../client/consumer/consumer-session";
import type { Bubble } from "../../client/conversation/thread";
import type { KeyValue } from "../../client/core/ports";
import { h } from "../../voice/ui/dom";
import { lazyPart } from "../lazy-parts";
import { LazyPlayer } from "./lazy-player";
import type { VoiceMessage } from "./lazy-player";
import type { VoiceServices } from "./voice-services";
import type { Row } from "./rows";

/** Makes the players of a conversation, and follows what it shows. */
export class Players {
  /** The place of the catch-up bar. */
  readonly element = h("div", { class: "catch-up" });
  readonly #player: LazyPlayer;
  readonly #session: ConsumerSession;
  readonly #list: () => HTMLElement;
  #services: Promise<VoiceServices> | undefined;
  #shown: readonly Bubble[] = [];
  readonly #follow = lazyPart(() => this.#load(), (services) => services.follow(this.#shown));

  /** `list` returns the element of the conversation; `storage` holds the listener's preferences. */
  constructor(session: ConsumerSession, list: () => HTMLElement, storage: KeyValue) {
    this.#player = new LazyPlayer(storage);
    this.#session = session;
    this.#list = list;
  }

  /** Follows the rows that are shown now. */
  follow(rows: readonly Row[]): void {
    this.#shown = rows.filter((row): row is Bubble => row.row === "bubble" && row.said.kind === "audio");
    if (this.#shown.length > 0) this.#follow()?.follow(this.#shown);
  }

  /** Erases every sound on this device: another person uses it now. */
  wipe(): void {
    void this.#load().then((services) => services.wipe()).catch(() => {});
  }

  /** Makes the player of a voice message. */
  create(row: Bubble): HTMLElement {
    return this.#player.create(...this.#message(row));
  }

  /** Shows in a player what changed of its message. */
  update(element: HTMLElement, row: Bubble): void {
    this.#player.show(element, ...this.#message(row));
  }

  /** Loads the player's code. */
  prepare(): Promise<unknown> {
    return this.#player.load();
  }

  /** Pauses whatever plays. */
  stop(): void {
    this.#player.stop();
  }

  #message({ n, own, said, unplayed }: Bubble): VoiceMessage {
    if (said.kind !== "audio") throw new Error("no voice message");
    const { media, ms, wave, loud, scan } = said.audio;
    const request = { media, n, ms };
    const { playbackProgress, store } = this.#session;
    return [
      { ms, wave, ...(loud === undefined ? {} : { loud }), ...(scan ? { scan } : {}) },
      async (from) => (await this.#load()).source.sound(request, from),
      {
        media, own, who: store.get().consumer?.conversation ?? "", unplayed: unplayed === true,
        bytes: async () => (await this.#load()).source.bytes(request),
        downloads: {
          mp3: async () => (await this.#load()).download(media, "mp3"),
          original: async () => (await this.#load()).download(media, "original"),
        },
        ...(
          own ? {} : {
            played: (from, to) => playbackProgress.played(n, from, to), rested: () => playbackProgress.flush(),
          }
        ),
      },
    ];
  }

  /** Loads the services. After a failure the next call tries again. */
  #load(): Promise<VoiceServices> {
    this.#services ??= import("./voice-services").then(
      (code) => new code.VoiceServices(this.#session, this.#list(), this.element)
    );
    this.#services.catch(() => (this.#services = undefined));
    return this.#services;
  }
}
