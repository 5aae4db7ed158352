/** This device in a call: it takes part through the session's socket, and holds the connection to the other device. */
import { Store } from "../client/core/store";
import type { WireCallQuality, WireCallSignal, WireCallStatus, WireRelayServer } from "../protocol/frames";
import { callSignal, callStatus, relayServer, signalled } from "../protocol/call-shapes";
import { read } from "../client/core/shapes";
import type { FrameOf } from "../client/core/wire";
import { joinFrame, signalFrame } from "./frames";
import type { LocalMedia } from "./local-media";
import { PeerConnection } from "./peer-connection";
import { report } from "./quality";
import type { CallKind, ConnectionPhase, ConnectionState, Switches } from "./types";

/** Which call this is. */
export interface CallName {
  readonly number: number;
  /** The conversation; a consumer has only one. */
  readonly c?: string;
  readonly kind: CallKind;
}

/** What a call needs of the session. */
export interface CallChannel {
  /** Sends a frame if there is a connection. */
  readonly send: (frame: string) => boolean;
  /** The session's socket, to be opened again where it turns out to be dead. */
  readonly connection: { stop(): void; start(): void };
}

/** The server answers within this time that a device takes part, or the socket is dead: the network changed. */
const ANSWER_WITHIN_MS = 1200;
const SEEK_EVERY_MS = 4000;

/** What a call looks like on this device. */
export interface DeviceState extends Omit<ConnectionState, "phase"> {
  /** `waiting`: the other device is not there yet; `away`: it is gone and may come back. */
  readonly phase: "waiting" | "away" | ConnectionPhase;
  readonly own: Switches;
  /** When the two were connected first, by this device's clock. */
  readonly since: number | undefined;
  /** The sentence that tells nobody is in between. */
  readonly fingerprint: string;
}

/** This device in one call. */
export class CallDevice {
  readonly store: Store<DeviceState>;
  readonly #channel: CallChannel;
  readonly #call: CallName;
  readonly #id: string;
  #connection: PeerConnection | undefined;
  #unsubscribe: (() => void) | undefined;
  #shared: MediaStreamTrack | undefined;
  #answerDue: ReturnType<typeof setTimeout> | undefined;
  #seeking: ReturnType<typeof setTimeout> | undefined;
  /** Nothing of an earlier connection is left on this page. */
  #isFresh = true;
  #isOver = false;

  /** `id` names this tab, and is the same after a reload. */
  constructor(channel: CallChannel, call: CallName, id: string, readonly media: LocalMedia) {
    this.#channel = channel;
    this.#call = call;
    this.#id = id;
    this.store = new Store<DeviceState>({
      phase: "waiting",
      own: { microphone: true, camera: media.camera !== undefined, screen: false },
      remote: { microphone: true, camera: false, screen: false },
      quality: undefined,
      stream: undefined,
      since: undefined,
      fingerprint: "",
    });
    this.#followMicrophone();
  }

  /** A phone that rings takes the microphone away and gives it back: the other side is told. */
  #followMicrophone(): void {
    const { microphone } = this.media;
    if (!microphone) return;
    microphone.onmute = () => this.#tell({ microphone: false });
    microphone.onunmute = () => this.#tell({ microphone: microphone.enabled });
  }

  /** Takes part, for the first time or on a new socket. */
  join(): void {
    this.#channel.send(this.#joinFrame());
  }

  /**
   * The way to the other device is lost. Another one needs a socket that lives, and passwords that still hold: takes
   * part once more, until there is a way.
   */
  #seekWay(): void {
    this.#stopSeeking();
    if (this.#isOver || this.store.get().phase !== "reconnecting") return;
    const { connection } = this.#channel;
    if (this.#channel.send(this.#joinFrame())) {
      this.#answerDue = setTimeout(() => {
        connection.stop();
        connection.start();
      }, ANSWER_WITHIN_MS);
    }
    this.#seeking = setTimeout(() => this.#seekWay(), SEEK_EVERY_MS);
  }

  #stopSeeking(): void {
    clearTimeout(this.#answerDue);
    clearTimeout(this.#seeking);
  }

  #joinFrame(): string {
    const { number, c } = this.#call;
    return joinFrame(number, this.#id, this.#isFresh, c);
  }

  /** Takes a frame of this call. */
  receive(frame: FrameOf<"call"> | FrameOf<"signal">): void {
    if (this.#isOver) return;
    if (frame.kind === "signal") {
      const heard = read(signalled, frame.signal);
      const signal = heard?.call === this.#call.number ? read(callSignal, heard.say) : undefined;
      return signal && this.#connection?.receive(signal);
    }
    const call = read(callStatus, frame.call);
    if (call?.id !== this.#call.number) return;
    clearTimeout(this.#answerDue);
    this.#isFresh = false;
    const connection = this.#connection;
    switch (call.state) {
      case "resync":
        if (!connection) return this.#begin(call);
        connection.resync(serversOf(call));
        return this.#follow(connection.store.get());
      case "begin": return this.#begin(call);
      // The media may go on without signals, as while the server starts again.
      default:
        if (connection?.store.get().phase === "connected") return;
        this.store.set({ phase: call.state === "gone" ? "away" : "waiting" });
    }
  }

  #begin(call: WireCallStatus): void {
    this.#end();
    const { media } = this;
    const { polite, relayOnly = false } = call;
    const send = (signal: WireCallSignal): void => this.#signal(signal);
    const connection = new PeerConnection({ polite, ice: serversOf(call), relayOnly, media, send });
    this.#connection = connection;
    this.#unsubscribe = connection.store.subscribe(() => this.#follow(connection.store.get()));
    this.#follow(connection.store.get());
    if (this.#shared) void this.#showPicture();
    connection.tell(this.store.get().own);
  }

  #follow({ phase, ...rest }: ConnectionState): void {
    const before = this.store.get();
    const isFirst = phase === "connected" && before.phase !== "connected";
    this.store.set({
      ...rest,
      phase,
      ...(isFirst && { since: before.since ?? Date.now() }),
    });
    if (phase === "reconnecting" && before.phase !== "reconnecting") this.#seekWay();
    if (!isFirst) return;
    this.#connection?.tell(before.own);
    void this.#connection?.fingerprint().then((fingerprint) => this.store.set({ fingerprint }));
  }

  #signal(signal: WireCallSignal): void {
    this.#channel.send(signalFrame(signal, this.#call.number, this.#call.c));
  }

  /** Turns the microphone on or off. */
  setMicrophone(microphone: boolean): void {
    this.media.mute(!microphone);
    this.#tell({ microphone });
  }

  /** Turns the camera on or off. - Throws `CallProblem` where there is none. */
  async setCamera(camera: boolean): Promise<void> {
    if (camera) await this.media.openCamera();
    else this.media.closeCamera();
    await this.#showPicture();
    this.#tell({ camera });
  }

  /** Takes the other camera. - Throws `CallProblem`. */
  async switchCamera(): Promise<void> {
    await this.media.switchCamera();
    await this.#showPicture();
    this.#tell({ camera: true });
  }

  async #showPicture(): Promise<void> {
    await this.#connection?.showPicture(this.#shared);
  }

  /** Speaks through another microphone. - Throws `CallProblem`. */
  async chooseMicrophone(deviceId: string): Promise<void> {
    await this.#connection?.speakThrough(await this.media.openMicrophone(deviceId));
    this.#followMicrophone();
  }

  /** Shows a screen in place of the camera, or stops that. - Throws where the person chose none. */
  async share(on: boolean): Promise<void> {
    this.#shared?.stop();
    this.#shared = undefined;
    if (on) {
      const [track] = (await navigator.mediaDevices.getDisplayMedia({ video: true })).getVideoTracks();
      if (track === undefined) return;
      track.contentHint = "detail";
      track.onended = () => void this.share(false);
      this.#shared = track;
    }
    await this.#showPicture();
    this.#tell({ screen: this.#shared !== undefined });
  }

  #tell(change: Partial<Switches>): void {
    const own = { ...this.store.get().own, ...change };
    this.store.set({ own });
    this.#connection?.tell(own);
  }

  /** How good the connection was; `undefined` where there was none. */
  async quality(): Promise<WireCallQuality | undefined> {
    const sample = await this.#connection?.sample();
    return sample && report(sample);
  }

  #end(): void {
    this.#unsubscribe?.();
    this.#connection?.close();
    this.#connection = undefined;
  }

  /** Ends the call on this device: microphone, camera and connection are released. */
  stop(): void {
    this.#isOver = true;
    this.#stopSeeking();
    this.#shared?.stop();
    this.#end();
    this.media.stop();
  }
}

/** The servers that help this call connect. */
const serversOf = ({ ice }: WireCallStatus): WireRelayServer[] =>
  ice.map((one) => read(relayServer, one)).filter((one): one is WireRelayServer => one !== undefined);
