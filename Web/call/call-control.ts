/** The call of one conversation on this page: who may do what next, and this device's part in it. No UI. */
import { Store } from "../client/core/store";
import type { OngoingCall } from "../client/conversation/calls";
import type { ServerFrame } from "../client/core/wire";
import { CallDevice, type CallChannel } from "./call-device";
import { CallProblem, LocalMedia, type MediaProblem } from "./local-media";
import type { CallKind } from "./types";

/** What a call needs of the page around. */
export interface ControlPort {
  readonly channel: CallChannel;
  /** The conversation; a consumer has only one and names none. */
  readonly c?: string;
  /** Where this tab remembers that it takes part: the name of an entry of the session's storage. */
  readonly place: string;
  /** Asks the server for something: `{ answerCall: 7 }`. */
  readonly ask: (ask: Readonly<Record<string, unknown>>) => void;
  /** The call is about to take the microphone: a recording that has it is kept. */
  readonly takesMicrophone: () => void;
}

/** What the page shows of the call. */
export interface ControlState {
  /** The call that is offered or goes on. */
  readonly call: OngoingCall | undefined;
  /** This device's part in it. */
  readonly device: CallDevice | undefined;
  /** The browser is being asked for the microphone. */
  readonly asking: boolean;
  readonly problem: MediaProblem | "elsewhere" | undefined;
}

/** The call of one conversation. */
export class CallControl {
  readonly store = new Store<ControlState>({ call: undefined, device: undefined, asking: false, problem: undefined });
  readonly #port: ControlPort;
  /** Tracks for a call that is about to begin. */
  #media: LocalMedia | undefined;
  #isOnline = false;

  constructor(port: ControlPort) {
    this.#port = port;
  }

  /** Takes over what the conversation says about its call. */
  update(call: OngoingCall | undefined, isOnline: boolean): void {
    const { call: before, device } = this.store.get();
    const isBack = isOnline && !this.#isOnline;
    this.#isOnline = isOnline;
    if (before?.number !== call?.number || before?.since !== call?.since) this.store.set({ call });
    if (before && before.number !== call?.number) return this.#over(call);
    if (!call || call.since === undefined) return;
    if (device) return isBack ? device.join() : undefined;
    if (this.#media) this.#join(call, this.#media);
    else if (this.#remembered(call) !== undefined) void this.#return(call);
  }

  /** The call ended, or is another one. */
  #over(call: OngoingCall | undefined): void {
    const { device } = this.store.get();
    device?.stop();
    if (device || call === undefined) this.#release();
    this.store.set({ call, device: undefined, problem: undefined });
    this.#forget();
  }

  /** Takes a frame of the server, of which only those of calls matter. */
  receive(frame: ServerFrame): void {
    const { device } = this.store.get();
    if (frame.kind === "call" || frame.kind === "signal") return device?.receive(frame);
    if (!device || frame.kind !== "problem" || frame.problem.code !== "call_elsewhere") return;
    device.stop();
    this.#forget();
    this.store.set({ device: undefined, problem: "elsewhere" });
  }

  /** Invites to a call, once the microphone is there. */
  async invite(kind: CallKind): Promise<void> {
    if (await this.#open(kind)) this.#port.ask({ invite: kind });
  }

  /** Accepts the call, once the microphone is there. */
  async accept(): Promise<void> {
    const { call } = this.store.get();
    if (call && await this.#open(call.kind)) this.#port.ask({ answerCall: call.number });
  }

  /** Ends the call, declines it or takes the invitation back. `failed`: this device could not connect. */
  async hangUp(failed = false): Promise<void> {
    const { call, device } = this.store.get();
    if (!call) return;
    const quality = await device?.quality().catch(() => undefined);
    this.#port.ask({ hangUp: { call: call.number, ...(failed && { failed }), ...(quality && { quality }) } });
    device?.stop();
    this.#release();
    this.store.set({ device: undefined, problem: undefined });
    this.#forget();
  }

  /** The page is left or hidden for good. The call goes on if it comes back soon. */
  leave(): void {
    this.store.get().device?.stop();
    this.#release();
  }

  /** Asks for the microphone. False where there is none: `problem` says why. */
  async #open(kind: CallKind): Promise<boolean> {
    if (this.store.get().asking) return false;
    this.store.set({ asking: true, problem: undefined });
    try {
      this.#release();
      this.#port.takesMicrophone();
      this.#media = await LocalMedia.open(kind);
      return true;
    } catch (error) {
      this.store.set({ problem: error instanceof CallProblem ? error.code : "unsupported" });
      return false;
    } finally {
      this.store.set({ asking: false });
    }
  }

  /** The page was loaded again during the call. */
  async #return(call: OngoingCall): Promise<void> {
    if (!await this.#open(call.kind)) return;
    const now = this.store.get().call;
    if (now?.number === call.number && this.#media) this.#join(now, this.#media);
    else this.#release();
  }

  #join({ number, kind }: OngoingCall, media: LocalMedia): void {
    const { channel, c } = this.#port;
    this.#media = undefined;
    const id = this.#remembered({ number }) ?? crypto.randomUUID();
    this.#remember(number, id);
    const device = new CallDevice(channel, { number, kind, ...(c !== undefined && { c }) }, id, media);
    device.store.subscribe(() => {
      if (device.store.get().phase === "lost" && this.store.get().device === device) void this.hangUp(true);
    });
    this.store.set({ device, problem: undefined });
    device.join();
  }

  #release(): void {
    this.#media?.stop();
    this.#media = undefined;
  }

  // What survives a reload of this tab

  #remembered({ number }: Pick<OngoingCall, "number">): string | undefined {
    try {
      const [known, id] = (sessionStorage.getItem(this.#port.place) ?? "").split(" ");
      return known === String(number) ? id : undefined;
    } catch {
      return undefined;
    }
  }

  #remember(number: number, id: string): void {
    try {
      sessionStorage.setItem(this.#port.place, `${number} ${id}`);
    } catch {
      // Without storage a reload ends this device's part.
    }
  }

  #forget(): void {
    try {
      sessionStorage.removeItem(this.#port.place);
    } catch {
      // Nothing was kept.
    }
  }
}
