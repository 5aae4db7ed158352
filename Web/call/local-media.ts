/** The microphone and the camera of this device during a call. */
import { obstacle, type Obstacle } from "./obstacle";
import type { CallKind } from "./types";

/** Why a device cannot take part in a call. */
export type MediaProblem = Obstacle | "denied" | "noDevice" | "busy";

/** A failure to get the microphone. */
export class CallProblem extends Error {
  constructor(readonly code: MediaProblem) {
    super(code);
  }
}

const SOUND = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
const PICTURE = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 } };

/** The tracks of this device. It owns them: `stop` ends every one, so that no light stays on. */
export class LocalMedia {
  readonly #stream = new MediaStream();
  #camera: "user" | "environment" = "user";

  private constructor(readonly kind: CallKind) {}

  /**
   * Asks the person for the microphone and, for a video call, the camera. A camera that is missing, busy or denied
   * leaves a call without a picture.
   * - Throws `CallProblem` where there is no microphone.
   */
  static async open(kind: CallKind): Promise<LocalMedia> {
    const blocked = obstacle();
    if (blocked !== undefined) throw new CallProblem(blocked);
    const media = new LocalMedia(kind);
    const both = kind === "video"
      ? await media.#get({ audio: SOUND, video: PICTURE }).catch(() => undefined)
      : undefined;
    media.#add(both ?? await media.#get({ audio: SOUND }));
    return media;
  }

  async #get(wanted: MediaStreamConstraints): Promise<MediaStream> {
    try {
      return await navigator.mediaDevices.getUserMedia(wanted);
    } catch (error) {
      throw new CallProblem(problemOf(error));
    }
  }

  #add(stream: MediaStream): void {
    for (const track of stream.getTracks()) this.#stream.addTrack(track);
  }

  /** What this device shows of itself. */
  get stream(): MediaStream {
    return this.#stream;
  }

  get microphone(): MediaStreamTrack | undefined {
    return this.#stream.getAudioTracks()[0];
  }

  get camera(): MediaStreamTrack | undefined {
    return this.#stream.getVideoTracks()[0];
  }

  /** Turns the microphone on or off: off is silence. */
  mute(muted: boolean): void {
    if (this.microphone) this.microphone.enabled = !muted;
  }

  /** Gets the camera. Its light goes on. - Throws `CallProblem`. */
  async openCamera(deviceId?: string): Promise<MediaStreamTrack> {
    this.closeCamera();
    const which = deviceId === undefined ? { facingMode: this.#camera } : { deviceId: { exact: deviceId } };
    this.#add(await this.#get({ video: { ...PICTURE, ...which } }));
    return this.camera ?? this.#fail();
  }

  /** Ends the camera. Its light goes off. */
  closeCamera(): void {
    for (const track of this.#stream.getVideoTracks()) this.#remove(track);
  }

  /** Takes the other camera of a phone, or the next one of a computer. - Throws `CallProblem`. */
  async switchCamera(): Promise<MediaStreamTrack> {
    const { facingMode, deviceId } = this.camera?.getSettings() ?? {};
    if (facingMode !== undefined) {
      this.#camera = facingMode === "user" ? "environment" : "user";
      return await this.openCamera();
    }
    const all = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === "videoinput");
    const next = all[(all.findIndex((one) => one.deviceId === deviceId) + 1) % all.length];
    return await this.openCamera(next?.deviceId);
  }

  /** Takes another microphone. - Throws `CallProblem`. */
  async openMicrophone(deviceId?: string): Promise<MediaStreamTrack> {
    const enabled = this.microphone?.enabled ?? true;
    const wanted = { ...SOUND, ...(deviceId !== undefined && { deviceId: { exact: deviceId } }) };
    const stream = await this.#get({ audio: wanted });
    for (const track of this.#stream.getAudioTracks()) this.#remove(track);
    this.#add(stream);
    this.mute(!enabled);
    return this.microphone ?? this.#fail();
  }

  /** Ends everything. */
  stop(): void {
    for (const track of this.#stream.getTracks()) this.#remove(track);
  }

  #remove(track: MediaStreamTrack): void {
    track.stop();
    this.#stream.removeTrack(track);
  }

  #fail(): never {
    throw new CallProblem("noDevice");
  }
}

/** The problem behind a refusal of `getUserMedia`. */
export function problemOf(error: unknown): MediaProblem {
  switch (error instanceof Error ? error.name : "") {
    case "NotAllowedError":
    case "SecurityError":
      return "denied";
    case "NotReadableError":
    case "AbortError":
      return "busy";
    case "NotFoundError":
    case "OverconstrainedError":
      return "noDevice";
    default:
      return "unsupported";
  }
}
