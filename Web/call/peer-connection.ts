/** One connection to the other device of a call: negotiation, restarts, statistics. No UI, no server. */
import { Store } from "../client/core/store";
import type { WireCallSignal, WireRelayServer } from "../protocol/frames";
import { Arrivals } from "./arrivals";
import { fingerprintOf } from "./fingerprint";
import type { LocalMedia } from "./local-media";
import { qualityOf, sampleOf, withSpeech, type Sample } from "./quality";
import type { ConnectionState, Switches } from "./types";

/** What a connection is made with. */
export interface PeerOptions {
  /** Gives way where both make an offer at once, and lets the other side make the first one. */
  readonly polite: boolean;
  readonly ice: readonly WireRelayServer[];
  readonly relayOnly: boolean;
  readonly media: LocalMedia;
  readonly send: (signal: WireCallSignal) => void;
}

const LOOK_EVERY_MS = 2000;
/** A connection that did not come about, or did not come back, after this time is lost. */
const LOST_AFTER_MS = 30_000;
/** The pictures of a poor connection, in bits a second. */
const POOR_VIDEO_BITS = 150_000;

/** A connection by perfect negotiation (W3C WebRTC, "Perfect negotiation example"). */
export class PeerConnection {
  readonly store = new Store<ConnectionState>({
    phase: "connecting",
    remote: { microphone: true, camera: false, screen: false },
    quality: undefined,
    stream: undefined,
  });
  readonly #pc: RTCPeerConnection;
  readonly #options: PeerOptions;
  #chain: Promise<void> = Promise.resolve();
  #isOffering = false;
  #ignoresOffer = false;
  /** Whether this side may make an offer: the polite one answers first. */
  #mayOffer: boolean;
  /** Addresses that came before the description that they belong to. */
  #early: RTCIceCandidateInit[] = [];
  #sample: Sample | undefined;
  #picture: RTCRtpSender | undefined;
  #isOver = false;
  #lost: ReturnType<typeof setTimeout> | undefined;
  readonly #look: ReturnType<typeof setInterval>;
  readonly #arrivals: Arrivals;

  constructor(options: PeerOptions) {
    const { polite, ice, relayOnly, media } = options;
    this.#options = options;
    this.#mayOffer = !polite;
    this.#pc = new RTCPeerConnection({
      iceServers: writable(ice),
      iceTransportPolicy: relayOnly ? "relay" : "all",
      bundlePolicy: "max-bundle",
    });
    this.#listen();
    for (const track of media.stream.getTracks()) this.#add(track);
    // The picture of a camera that is turned on later needs no new negotiation.
    if (media.kind === "video" && !media.camera) {
      this.#picture = this.#pc.addTransceiver("video", { direction: "sendrecv" }).sender;
    }
    this.#expectConnection();
    this.#look = setInterval(() => void this.#sampleNow(), LOOK_EVERY_MS);
    this.#arrivals = new Arrivals(this.#pc, (arrives) => this.#heard(arrives));
  }

  #add(track: MediaStreamTrack): void {
    const sender = this.#pc.addTrack(track, this.#options.media.stream);
    if (track.kind === "video") this.#picture = sender;
  }

  #listen(): void {
    const pc = this.#pc;
    pc.onnegotiationneeded = () => void (this.#mayOffer && this.#offer());
    pc.onicecandidate = ({ candidate }) => this.#sendCandidate(candidate);
    pc.ontrack = ({ streams: [stream], track }) => {
      const known = this.store.get().stream;
      const shown = stream ?? known ?? new MediaStream();
      if (!shown.getTracks().includes(track)) shown.addTrack(track);
      if (shown !== known) this.store.set({ stream: shown });
    };
    pc.onconnectionstatechange = () => this.#connectionChanged(pc.connectionState);
  }

  #sendCandidate(candidate: RTCIceCandidate | null): void {
    const { candidate: text = "", sdpMid, sdpMLineIndex, usernameFragment } = candidate?.toJSON() ?? {};
    this.#options.send({
      candidate: {
        candidate: text,
        ...(sdpMid != null && { sdpMid }),
        ...(sdpMLineIndex != null && { sdpMLineIndex }),
        ...(usernameFragment != null && { usernameFragment }),
      },
    });
  }

  async #offer(): Promise<void> {
    this.#isOffering = true;
    try {
      await this.#pc.setLocalDescription();
      this.#sendDescription();
    } catch {
      // The connection was closed, or the state changed: the next offer says what is needed.
    } finally {
      this.#isOffering = false;
    }
  }

  #sendDescription(): void {
    const description = this.#pc.localDescription;
    if (!description || this.#isOver) return;
    this.#options.send({ description: { type: description.type, sdp: description.sdp } });
  }

  /** Takes a signal of the other side. Signals are handled one after the other, in their order. */
  receive(signal: WireCallSignal): void {
    this.#chain = this.#chain.then(() => this.#handle(signal)).catch(() => this.#interrupted());
  }

  async #handle({ description, candidate, media }: WireCallSignal): Promise<void> {
    if (this.#isOver) return;
    if (media) this.store.set({ remote: media });
    if (description) await this.#describe(description);
    if (candidate) await this.#addCandidate(candidate);
  }

  async #describe({ type, sdp }: NonNullable<WireCallSignal["description"]>): Promise<void> {
    const collides = type === "offer" && (this.#isOffering || this.#pc.signalingState !== "stable");
    this.#ignoresOffer = !this.#options.polite && collides;
    if (this.#ignoresOffer) return;
    await this.#pc.setRemoteDescription({ type, sdp: withSpeech(sdp) });
    this.#mayOffer = true;
    for (const early of this.#early.splice(0)) await this.#pc.addIceCandidate(early);
    if (type !== "offer") return;
    await this.#pc.setLocalDescription();
    this.#sendDescription();
  }

  async #addCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (this.#pc.remoteDescription === null) return void this.#early.push(candidate);
    try {
      await this.#pc.addIceCandidate(candidate);
    } catch (error) {
      if (!this.#ignoresOffer) throw error;
    }
  }

  /**
   * Both devices are told that signals may have been lost, or that one of them hears nothing. One of them looks for a
   * new way, so that no two offers meet: where an offer is taken back, browsers begin the streams again. `ice`: the
   * servers, with passwords that still hold.
   */
  resync(ice: readonly WireRelayServer[]): void {
    if (this.#isOver) return;
    this.#pc.setConfiguration({ ...this.#pc.getConfiguration(), iceServers: writable(ice) });
    if (this.#pc.signalingState === "have-local-offer") this.#sendDescription();
    else if (!this.#options.polite) this.#pc.restartIce();
  }

  #connectionChanged(state: RTCPeerConnectionState): void {
    if (state === "connected") {
      this.#arrivals.begin();
      clearTimeout(this.#lost);
      this.#lost = undefined;
      this.store.set({ phase: "connected" });
    } else if (state === "disconnected" || state === "failed") this.#interrupted();
  }

  #heard(arrives: boolean): void {
    if (this.#isOver) return;
    if (arrives && this.#pc.connectionState === "connected") this.#connectionChanged("connected");
    else if (!arrives && this.store.get().phase === "connected") this.#interrupted();
  }

  /** Nothing arrives any longer. */
  #interrupted(): void {
    this.store.set({ phase: "reconnecting" });
    this.#expectConnection();
  }

  #expectConnection(): void {
    this.#lost ??= setTimeout(() => this.store.set({ phase: "lost" }), LOST_AFTER_MS);
  }

  /** Tells the other side what is switched on. */
  tell(media: Switches): void {
    this.#options.send({ media });
  }

  /** Shows what there is to see now: the shared screen, else the camera. */
  async showPicture(screen: MediaStreamTrack | undefined): Promise<void> {
    await this.#picture?.replaceTrack(screen ?? this.#options.media.camera ?? null);
  }

  /** Speaks through this microphone. */
  async speakThrough(track: MediaStreamTrack): Promise<void> {
    await this.#pc.getSenders().find((sender) => sender.track?.kind === "audio")?.replaceTrack(track);
  }

  async #sampleNow(): Promise<void> {
    const now = await this.sample();
    if (now === undefined || this.#isOver) return;
    const quality = qualityOf(this.#sample, now);
    this.#sample = now;
    if (quality !== this.store.get().quality) {
      this.store.set({ quality });
      await this.#limitPicture(quality === "poor");
    }
  }

  /** On a poor connection the sound comes first. */
  async #limitPicture(isPoor: boolean): Promise<void> {
    const parameters = this.#picture?.getParameters();
    const [encoding] = parameters?.encodings ?? [];
    if (!parameters || !encoding) return;
    if (isPoor) encoding.maxBitrate = POOR_VIDEO_BITS;
    else delete encoding.maxBitrate;
    await this.#picture?.setParameters(parameters).catch(() => undefined);
  }

  /** The statistics of the whole connection. */
  async sample(): Promise<Sample | undefined> {
    const stats: Record<string, unknown>[] = [];
    (await this.#pc.getStats()).forEach((one: Record<string, unknown>) => stats.push(one));
    return sampleOf(stats);
  }

  /** A text that is the same on both sides, and on no other connection: nobody is in between. */
  fingerprint(): Promise<string> {
    return fingerprintOf([this.#pc.localDescription, this.#pc.remoteDescription].map((one) => one?.sdp ?? ""));
  }

  /** Ends the connection. The tracks of this device go on. */
  close(): void {
    this.#isOver = true;
    clearTimeout(this.#lost);
    clearInterval(this.#look);
    this.#arrivals.stop();
    this.#pc.close();
  }
}

/** The servers as the browser takes them. */
const writable = (servers: readonly WireRelayServer[]): RTCIceServer[] =>
  servers.map((server) => ({ ...server, urls: [...server.urls] }));
