/**
 * The survey as a card in the conversation: one tap is an answer, further answers may follow, and the composer stays
 * usable.
 */
import { systemClock } from "../../client/core/browser";
import type { ConsumerSession } from "../../client/consumer/consumer-session";
import { isAnswered, surveyState } from "../../client/conversation/survey";
import type { Rating, SurveyState } from "../../client/conversation/survey";
import type { RecorderManager, RecorderPanel } from "../../voice/record/recorder-manager";
import { h, icon, set } from "../../voice/ui/dom";
import { fill } from "../../voice/ui/strings";
import { lengthText } from "../../voice/ui/time";
import { ratingIcon } from "../icons";
import type { WidgetRecorder } from "../composer/recorder";
import { contactCentreStrings } from "./contact-centre-strings";

/** What a survey card needs from the widget. */
export interface CardOptions {
  readonly session: ConsumerSession;
  readonly voiceOff: () => string | undefined;
  readonly recorder: WidgetRecorder;
  readonly grew: () => void;
  readonly announce: (text: string) => void;
}

/** An answer is sent after this pause, because arrow keys pass over other answers. */
const REST_MS = 500;
/** The server takes no more in an answer. */
const MOST_WORDS = 2000;

/** The card of one survey. */
export class SurveyCard {
  readonly #thanks = h("p", { class: "survey-thanks" });
  readonly #csat: HTMLElement;
  readonly #nps: HTMLElement;
  readonly #words = h(
    "textarea",
    {
      rows: 2,
      maxlength: MOST_WORDS,
      dir: "auto",
      placeholder: contactCentreStrings.wordsMore,
      "aria-label": contactCentreStrings.words,
    },
  );
  readonly #send = h("button", { type: "button", class: "strong" }, contactCentreStrings.sendWords);
  readonly #speak = h("button", { type: "button" }, icon("mic"), h("span", {}, contactCentreStrings.say));
  readonly #spoken = h("p", { class: "survey-spoken", hidden: true });
  readonly #free: HTMLElement;
  readonly #panelPlace = h("div");
  readonly #form: HTMLElement;
  #chosen: Rating = {};
  #timer: number | undefined;
  #manager: Promise<RecorderManager> | undefined;
  #panel: RecorderPanel | undefined;
  #shown = "";
  readonly #element: HTMLElement;
  readonly #n: number;
  readonly #options: CardOptions;

  constructor(element: HTMLElement, n: number, options: CardOptions) {
    this.#element = element;
    this.#n = n;
    this.#options = options;
    this.#csat = radios(
      `csat${n}`,
      contactCentreStrings.csat,
      contactCentreStrings.faces.map((label, i) => ({ value: i + 1, label, picture: ratingIcon(i + 1) })),
      (csat) => this.#choose({ csat }),
    );
    this.#nps = radios(
      `nps${n}`,
      contactCentreStrings.nps,
      Array.from({ length: 11 }, (_, value) => ({ value, label: String(value) })),
      (nps) => this.#choose({ nps }),
    );
    this.#nps.append(
      h(
        "p",
        { class: "survey-ends", "aria-hidden": "true" },
        h("span", {}, contactCentreStrings.npsLow),
        h("span", {}, contactCentreStrings.npsHigh),
      )
    );
    const free = h(
      "div", { class: "survey-free" }, this.#words, h("div", { class: "survey-do" }, this.#speak, this.#send),
    );
    this.#free = h("div", {}, free, this.#panelPlace, this.#spoken);
    this.#form = h("div", { class: "survey-form" }, this.#csat, this.#nps, this.#free);
    this.#words.addEventListener("input", () => set(this.#send, { disabled: this.#words.value.trim() === "" }));
    this.#send.addEventListener("click", () => this.#sendWords());
    this.#speak.addEventListener("click", () => void this.#record());
    set(this.#send, { disabled: true });
    document.addEventListener("visibilitychange", () => this.#flush());
    this.update();
  }

  update(): void {
    const { timeline, pending } = this.#options.session.store.get();
    const state = surveyState(timeline.events, pending, this.#n, systemClock.now());
    set(this.#element, { hidden: !state || !(state.open || isAnswered(state.rating)) });
    if (!state) return;
    const rating = { ...state.rating, ...this.#chosen };
    const shown = JSON.stringify([state.open, rating, this.#options.voiceOff()]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (state.open) this.#showForm(state, rating);
    else this.#end(rating);
    this.#element.className = "survey-row";
    this.#options.grew();
  }

  #showForm({ survey }: SurveyState, rating: Rating): void {
    if (!this.#form.isConnected) {
      const title = h("h3", { dir: "auto" }, survey.question || contactCentreStrings.survey);
      this.#element.replaceChildren(
        h("section", { class: "survey", "aria-label": contactCentreStrings.survey }, title, this.#form, this.#thanks)
      );
    }
    const begun = isAnswered(rating) || !survey.csat;
    choose(this.#csat, rating.csat);
    choose(this.#nps, rating.nps);
    set(this.#csat, { hidden: !survey.csat });
    set(this.#nps, { hidden: !survey.nps || !begun });
    set(this.#free, { hidden: !survey.words || !(begun || !survey.nps && !survey.csat) });
    set(this.#speak, { hidden: this.#options.voiceOff() !== undefined });
    const length = rating.audio && lengthText(rating.audio.ms);
    this.#spoken.textContent = length === undefined ? "" : fill(contactCentreStrings.spoken, { length });
    set(this.#spoken, { hidden: length === undefined });
    this.#thanks.replaceChildren(
      ...(isAnswered(rating) ? [h("strong", {}, contactCentreStrings.thanks), ` ${contactCentreStrings.change}`] : [])
    );
  }

  /** The survey ended, or the conversation continues: stops recording, because the recorder is no longer visible. */
  #end(rating: Rating): void {
    void this.#manager?.then((manager) => manager.stopCapture());
    this.#element.replaceChildren(h("div", { class: "survey survey-over" }, h("p", {}, overText(rating))));
  }

  #choose(part: Rating): void {
    const first = Object.keys(this.#chosen).length === 0;
    this.#chosen = { ...this.#chosen, ...part };
    if (this.#timer !== undefined) systemClock.cancel(this.#timer);
    this.#timer = systemClock.after(REST_MS, () => this.#flush());
    this.update();
    if (first) this.#options.announce(`${contactCentreStrings.thanks} ${contactCentreStrings.change}`);
  }

  #flush(): void {
    if (this.#timer === undefined) return;
    systemClock.cancel(this.#timer);
    this.#timer = undefined;
    const { audio: _, ...rate } = this.#chosen;
    this.#chosen = {};
    this.#options.session.say({ kind: "ask", ask: { rate } });
  }

  #sendWords(): void {
    const text = this.#words.value.trim();
    if (text === "") return;
    this.#flush();
    this.#options.session.say({ kind: "ask", ask: { rate: { text } } });
    set(this.#send, { disabled: true });
    this.#options.announce(`${contactCentreStrings.sentWords}. ${contactCentreStrings.thanks}`);
  }

  /** A recorder of its own: its recording is an answer, and never a message. */
  async #record(): Promise<void> {
    try {
      const manager = await (this.#manager ??= this.#opened());
      if (manager) this.#panel?.start();
    } catch {
      this.#manager = undefined;
      this.#options.announce(contactCentreStrings.voiceFailed);
      this.#spoken.textContent = contactCentreStrings.voiceFailed;
      set(this.#spoken, { hidden: false });
    }
  }

  async #opened(): Promise<RecorderManager> {
    const { session, announce, recorder } = this.#options;
    const { manager, code } = await recorder.newManager({
      owner: `${session.place}survey`,
      deliver: (to, audio, key) => to === session.store.get().consumer?.conversation && session.say(
        { kind: "ask", ask: { rate: { audio: audio.media } } }, key,
      ),
    });
    this.#panel = new code.RecorderPanel({
      recorder: manager.recorder(session.store.get().consumer?.conversation ?? ""), skin: "widget", announce,
      limitMs: () => session.store.get().settings.audio.ms, covers: (covers) => this.#covered(covers),
    });
    this.#panelPlace.append(this.#panel.element);
    addEventListener("pagehide", () => manager.stopCapture());
    return manager;
  }

  #covered(covers: boolean): void {
    set(this.#words.parentElement as HTMLElement, { hidden: covers });
    this.#options.grew();
  }
}

/** Once it is over: what was said, in a line. */
function overText({ csat, nps }: Rating): string {
  if (csat !== undefined) return fill(
    contactCentreStrings.gave, { answer: contactCentreStrings.faces[csat - 1] ?? "" },
  );
  return nps === undefined ? contactCentreStrings.answered : fill(contactCentreStrings.gaveNps, { nps });
}

interface Choice {
  readonly value: number;
  readonly label: string;
  readonly picture?: SVGElement;
}

/** Radio buttons of the browser's own: arrows, Tab and screen readers know them. */
function radios(
  name: string, legend: string, choices: readonly Choice[], chosen: (value: number) => void,
): HTMLElement {
  const labels = choices.map(({ value, label, picture }) => {
    const input = h("input", { type: "radio", name, value, "aria-label": label });
    input.addEventListener("change", () => chosen(value));
    return h(
      "label",
      { title: picture && label },
      input,
      picture ?? h("span", {}, label),
      picture && h("span", { class: "survey-word", "aria-hidden": "true" }, label),
    );
  });
  const row = h("div", { class: "survey-choices" }, ...labels);
  return h("fieldset", { class: choices.length > 5 ? "survey-nps" : "survey-csat" }, h("legend", {}, legend), row);
}

function choose(group: HTMLElement, value: number | undefined): void {
  for (const input of group.querySelectorAll("input")) input.checked = Number(input.value) === value;
}
