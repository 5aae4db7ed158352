/** The consumer's side of a call: the invitation, and the call with its buttons. Loaded with the first call. */
import { CallControl } from "../../call/call-control";
import type { CallDevice, DeviceState } from "../../call/call-device";
import type { ConsumerSession } from "../../client/consumer/consumer-session";
import type { ConsumerState } from "../../client/consumer/consumer-state";
import type { ServerFrame } from "../../client/core/wire";
import type { OngoingCall } from "../../client/conversation/calls";
import { h, set, setText, svg } from "../../voice/ui/dom";
import { fill } from "../../voice/ui/strings";
import { Ringing } from "../../call/ringing";
import { callStrings as text } from "./call-strings";

const SHAPES = {
  phone: "M6 3.5h3l1.5 4-2 1.5a11 11 0 0 0 6.5 6.5l1.5-2 4 1.5v3a2 2 0 0 1-2.2 2A17 17 0 0 1 4 5.7 2 2 0 0 1 6 3.5Z",
  down: "M3 14.5c5-5 13-5 18 0l-2 2.5-4-1.5v-2.3a12 12 0 0 0-6 0v2.3L5 17Z",
  mic: "M12 3.5a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0v-5a3 3 0 0 0-3-3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3",
  micOff: "M12 3.5a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0v-5a3 3 0 0 0-3-3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3M4 4l16 16",
  camera: "M4 7h10.5v10H4ZM14.5 11l5.5-3v8l-5.5-3",
  cameraOff: "M4 7h10.5v10H4ZM14.5 11l5.5-3v8l-5.5-3M4 4l16 16",
  flip: "M4 9a8 8 0 0 1 14-3M20 3v4h-4M20 15a8 8 0 0 1-14 3M4 21v-4h4",
} as const;

type Shape = keyof typeof SHAPES;

/** What the panel needs of the widget. */
export interface CallPanelOptions {
  /** The panel is placed after this element. */
  readonly after: Element;
  readonly announce: (text: string) => void;
  /** Stops a recording. What was said is kept. */
  readonly stopRecording: () => void;
}

/** The panel of a call, between the header and the messages. */
export class CallPanel {
  readonly #options: CallPanelOptions;
  readonly #control: CallControl;
  readonly #element = h("section", { class: "call", "aria-label": text.label, hidden: true });
  readonly #ringing = new Ringing();
  #mode = "";
  #name = "";
  /** Brings what is shown up to date. */
  #refresh: () => void = () => {};
  #unfollow: () => void = () => {};
  #clock: ReturnType<typeof setInterval> | undefined;

  constructor(session: ConsumerSession, options: CallPanelOptions) {
    this.#options = options;
    const { conversation = "" } = session.store.get().consumer ?? {};
    this.#control = new CallControl({
      channel: session.channel,
      place: `earshot.call.${conversation}`,
      ask: (ask) => session.say({ kind: "ask", ask }),
      takesMicrophone: options.stopRecording,
    });
    this.#control.store.subscribe(() => this.#render());
    options.after.after(this.#element);
    addEventListener("pagehide", () => this.#control.leave());
  }

  /** Takes a frame of the server, of which only those of calls matter. */
  receive(frame: ServerFrame): void {
    this.#control.receive(frame);
  }

  /** Takes over what the conversation says about its call. */
  update({ link, timeline }: ConsumerState, call: OngoingCall | undefined): void {
    this.#name = timeline.people.find(({ by }) => by === call?.by)?.name ?? this.#name;
    this.#control.update(call, link === "online");
  }

  #render(): void {
    const { call, device, asking, problem } = this.#control.store.get();
    const mode = call === undefined ? "" : device ? "own" : call.since === undefined ? "invited" : "elsewhere";
    this.#ringing.set(mode === "invited" && !asking && !problem);
    const name = `${mode} ${call?.number} ${asking} ${problem}`;
    if (name !== this.#mode) this.#build(name, mode, call, device);
    this.#refresh();
  }

  #build(name: string, mode: string, call: OngoingCall | undefined, device: CallDevice | undefined): void {
    const hadFocus = this.#element.contains(document.activeElement);
    this.#mode = name;
    this.#unfollow();
    clearInterval(this.#clock);
    this.#unfollow = this.#refresh = () => {};
    set(this.#element, { hidden: mode === "", "data-mode": mode });
    if (mode === "own" && device) this.#own(device);
    else this.#element.replaceChildren(...(call === undefined ? [] : this.#offered(mode, call)));
    if (hadFocus) this.#element.querySelector("button")?.focus();
  }

  /** The invitation, or that the call goes on elsewhere. */
  #offered(mode: string, call: OngoingCall): HTMLElement[] {
    const { asking, problem } = this.#control.store.get();
    if (mode !== "invited") return [h("p", {}, problem ? text.problem[problem] : text.elsewhere)];
    const invites = fill(text.invites[call.kind], { name: this.#name });
    if (!problem && !asking) this.#options.announce(invites);
    const label = problem ? text.again : text.accept;
    const accept = h("button", { type: "button", class: "strong", disabled: asking }, picture("phone"), label);
    accept.addEventListener("click", () => void this.#control.accept());
    const decline = h("button", { type: "button" }, text.decline);
    decline.addEventListener("click", () => void this.#control.hangUp());
    const more = problem ? text.problem[problem] : asking ? text.asking : text.invitesMore[call.kind];
    return [
      h("p", { class: "call-title" }, invites),
      h("p", { class: "call-more", role: problem ? "alert" : "status" }, more),
      h("div", { class: "call-acts" }, decline, accept),
    ];
  }

  /** The call on this device. */
  #own(device: CallDevice): void {
    const title = h("p", { class: "call-title" }, fill(text.with, { name: this.#name }));
    const status = h("p", { class: "call-status", role: "status" });
    const note = h("p", { class: "call-more" });
    const code = h("p");
    const secure = h("details", { class: "call-more" }, h("summary", {}, text.secure), code);
    const pictures = new Pictures(device, this.#name);
    const mute = this.#button("mic", () => device.setMicrophone(!device.store.get().own.microphone));
    const camera = this.#button("camera", () => {
      void device.setCamera(!device.store.get().own.camera).catch(() => undefined);
    });
    const flip = this.#button("flip", () => void device.switchCamera().catch(() => undefined));
    const end = this.#button("down", () => void this.#control.hangUp());
    end.classList.add("call-end");
    name(end, text.hangUp);
    name(flip, text.switchCamera);
    this.#element.replaceChildren(
      pictures.element,
      h("div", { class: "call-line" }, h("div", {}, title, status, note, secure), pictures.hear),
      h("div", { class: "call-acts" }, mute, camera, flip, end),
    );
    const isVideo = device.media.kind === "video";
    set(camera, { hidden: !isVideo });
    void cameras().then((count) => set(flip, { hidden: !isVideo || count < 2 }));
    set(flip, { hidden: true });
    this.#refresh = () => {
      const state = device.store.get();
      pictures.show(state);
      setText(status, this.#statusText(state));
      setText(note, this.#noteText(state));
      setText(code, fill(text.secureMore, { code: state.fingerprint, name: this.#name }));
      set(secure, { hidden: state.fingerprint === "" });
      toggle(mute, state.own.microphone, "mic", text.mute, text.unmute);
      toggle(camera, state.own.camera, "camera", text.cameraOff, text.cameraOn);
    };
    this.#unfollow = device.store.subscribe(() => this.#refresh());
    this.#clock = setInterval(() => this.#refresh(), 1000);
  }

  #statusText({ phase, since = 0 }: DeviceState): string {
    const time = length(Date.now() - since);
    return fill(phase === "connected" ? text.connected : text[phase], { name: this.#name, time });
  }

  #noteText({ phase, quality, remote }: DeviceState): string {
    if (phase !== "connected") return "";
    const muted = remote.microphone ? "" : fill(text.theirMicrophoneOff, { name: this.#name });
    return [muted, quality && text.quality[quality]].filter(Boolean).join(" · ");
  }

  #button(shape: Shape, run: () => void): HTMLButtonElement {
    const button = h("button", { type: "button", class: "call-button" }, picture(shape));
    button.addEventListener("click", run);
    return button;
  }
}

/** What both sides show, and what the other side says. */
class Pictures {
  readonly #device: CallDevice;
  readonly #name: string;
  readonly #theirs: HTMLVideoElement;
  readonly #own = screen("call-own", text.own);
  readonly element: HTMLElement;
  /** Shown where the browser plays nothing before the person clicks. */
  readonly hear: HTMLButtonElement;

  constructor(device: CallDevice, name: string) {
    this.#device = device;
    this.#name = name;
    this.#theirs = screen("call-theirs", fill(text.theirs, { name }));
    this.#own.muted = true;
    this.element = h("div", { class: "call-pictures" }, this.#theirs, this.#own);
    this.hear = h("button", { type: "button", class: "strong", hidden: true }, fill(text.hear, { name }));
    this.hear.addEventListener("click", () => this.#play());
  }

  show({ stream: heard, remote, own }: DeviceState): void {
    const stream = heard ?? null;
    if (this.#theirs.srcObject !== stream) {
      this.#theirs.srcObject = stream;
      this.#play();
    }
    if (this.#own.srcObject !== this.#device.media.stream) this.#own.srcObject = this.#device.media.stream;
    const label = fill(remote.screen ? text.screen : text.theirs, { name: this.#name });
    set(this.#theirs, { hidden: !remote.camera && !remote.screen, "aria-label": label });
    set(this.#own, { hidden: !own.camera });
  }

  #play(): void {
    const hide = (hidden: boolean): void => set(this.hear, { hidden });
    void this.#theirs.play().then(() => hide(true), ({ name }: Error) => hide(name !== "NotAllowedError"));
  }
}

const screen = (className: string, label: string): HTMLVideoElement =>
  h("video", { class: className, autoplay: true, playsinline: true, "aria-label": label });

/** A switch: pressed while off, with what a press does as its name. */
function toggle(button: HTMLButtonElement, on: boolean, shape: "mic" | "camera", off: string, turnOn: string): void {
  set(button, { "aria-pressed": String(!on) });
  name(button, on ? off : turnOn);
  const d = SHAPES[on ? shape : `${shape}Off` as const];
  const path = button.querySelector("path");
  if (path) set(path, { d });
}

const name = (button: HTMLButtonElement, label: string): void => set(button, { "aria-label": label, title: label });

const picture = (shape: Shape): SVGElement => svg(
  "svg",
  {
    viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false", class: "icon",
    fill: "none", stroke: "currentColor", "stroke-width": "1.8", "stroke-linecap": "round", "stroke-linejoin": "round",
  },
  svg("path", { d: SHAPES[shape] }),
);

/** A length as minutes and seconds. */
function length(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

async function cameras(): Promise<number> {
  const all = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  return all.filter(({ kind }) => kind === "videoinput").length;
}
