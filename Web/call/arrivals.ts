/** Whether anything arrives from the other device. The browser itself takes five seconds to notice that it does not. */

/** How often to look. */
const LOOK_EVERY_MS = 300;
/** Without a packet for so long the way is lost. Also who says nothing sends five a second. */
const SILENT_MS = 1200;

/** Watches what arrives over a connection. */
export class Arrivals {
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #pc: Pick<RTCPeerConnection, "getStats">;
  readonly #heard: (arrives: boolean) => void;
  #packets = 0;
  /** When something arrived last; 0: nothing has to arrive yet. */
  #at = 0;

  /** `heard` is told at each look at which something arrived, or nothing has for too long. */
  constructor(pc: Pick<RTCPeerConnection, "getStats">, heard: (arrives: boolean) => void) {
    this.#pc = pc;
    this.#heard = heard;
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  /** From now on something has to arrive. */
  begin(): void {
    this.#at = performance.now();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    let packets = 0;
    (await this.#pc.getStats()).forEach(({ type, packetsReceived }: Record<string, unknown>) => {
      if (type === "inbound-rtp") packets += Number(packetsReceived);
    });
    const now = performance.now();
    // A stream that begins again counts from nought.
    if (packets !== this.#packets) {
      [this.#packets, this.#at] = [packets, now];
      this.#heard(true);
    } else if (this.#at > 0 && now - this.#at >= SILENT_MS) this.#heard(false);
  }
}
