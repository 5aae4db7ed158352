/**
 * Who is there, the expected reply time, the menu and the survey. Loaded when the widget is opened, or a conversation
 * has begun.
 */
import { systemClock } from "../../client/core/browser";
import type { Whereabouts } from "../../client/consumer/availability";
import type { ConsumerSession } from "../../client/consumer/consumer-session";
import type { ConsumerState } from "../../client/consumer/consumer-state";
import type { DeviceCheck } from "../../call/device-check";
import { callsToAskFor, ongoingCall } from "./calls";
import { promised } from "../../client/conversation/waiting";
import { h } from "../../voice/ui/dom";
import { lazyPart, loadStyleSheet } from "../lazy-parts";
import { callText } from "./call-text";
import { contactCentreStrings } from "./contact-centre-strings";
import { ConsumerMenu } from "./consumer-menu";
import type { LaterRow } from "../conversation/rows";
import type { List } from "../conversation/list";
import type { WidgetRecorder } from "../composer/recorder";
import type { SurveyCard } from "./survey";
import { Outlook } from "./outlook";
import { agentOf, noticeText, wordsOf } from "./waiting-text";
import type { Words } from "./waiting-text";

/** What this part needs from the widget. */
export interface ContactCentreOptions {
  readonly where: Whereabouts;
  /** The menu button is placed before this element. */
  readonly head: HTMLElement;
  /** Why voice messages are off; `undefined` where they are on. */
  readonly silent: () => string | undefined;
  readonly recorder: WidgetRecorder;
  readonly list: Pick<List, "atEnd" | "toEnd">;
}

/** Who is there, the expected reply time, the menu and the surveys. */
export class ContactCentrePanel {
  /** The live region for screen readers. */
  readonly #aloud = h("div", { class: "aloud", role: "status" });
  readonly #menu: ConsumerMenu;
  readonly #outlook: Outlook;
  readonly #cards = new Map<string, SurveyCard | "coming">();
  /** Loaded with the first call. */
  readonly #call = lazyPart(
    () => Promise.all([import("../call/call-panel"), loadStyleSheet("call.css")]).then(
      ([{ CallPanel }]) => new CallPanel(
        this.#session,
        {
          after: this.#options.head.closest("header") ?? this.#options.head,
          announce: (text) => this.#say(text),
          stopRecording: () => this.#options.recorder.stopCapture(),
        },
      )
    ),
    () => this.#followCall(this.#session.store.get()),
  );
  #device: Promise<DeviceCheck> | undefined;
  #hadCall = false;
  #said = "";
  #timer: number | undefined;
  readonly #session: ConsumerSession;
  readonly #options: ContactCentreOptions;

  constructor(session: ConsumerSession, options: ContactCentreOptions) {
    this.#session = session;
    this.#options = options;
    this.#outlook = new Outlook(options.where);
    document.body.append(this.#aloud);
    this.#menu = new ConsumerMenu(
      () => session.say({ kind: "close" }),
      () => callsToAskFor(session.store.get()).map((kind) => ({
        label: contactCentreStrings.askForCall[kind],
        kind: "item",
        run: () => session.say({ kind: "ask", ask: { requestCall: kind } }),
      })),
    );
    options.head.before(this.#menu.button);
    session.channel.calls = (frame) => {
      if (frame.kind === "check") this.#answer(frame.check);
      else if (this.#hadCall) this.#call()?.receive(frame);
    };
  }

  /** Tells an agent who would like to call what this device can do. */
  #answer(check: unknown): void {
    this.#device ??= import("../../call/device-check").then(({ DeviceCheck }) => new DeviceCheck());
    this.#device.then((device) => device.readiness(check)).then(
      (checked) => this.#session.channel.send(JSON.stringify({ checked })),
      () => (this.#device = undefined),
    );
  }

  /** The texts about waiting, now. `again` is called when the clock or the server changes them. */
  words(state: ConsumerState, again: () => void): Words {
    this.#followCall(state);
    const { expect, timeline } = state;
    const now = systemClock.now();
    const { status, events, people } = timeline;
    const goes = status === "waiting" || status === "open";
    this.#menu.show(goes);
    if (status === "new") return this.#outlookWords(now, again);
    const expected = goes ? expect : undefined;
    const promise = goes ? promised(events, people, now) : undefined;
    const agent = status === "open" ? agentOf(events, people) : undefined;
    const words = wordsOf({ expected, promise, agent }, now);
    this.#say([words.head, words.line].filter(Boolean).join(". "));
    this.#wake([expected?.by, expected?.hours.opens, promise?.until], now, again);
    return words;
  }

  #followCall(state: ConsumerState): void {
    const call = ongoingCall(state.timeline.events);
    this.#hadCall ||= call !== undefined;
    if (this.#hadCall) this.#call()?.update(state, call);
  }

  #outlookWords(now: number, again: () => void): Words {
    const head = this.#outlook.text(again);
    this.#wake([this.#outlook.again], now, again);
    return head === undefined ? {} : { head };
  }

  /** Fills a row of the list. */
  row(row: LaterRow, element: HTMLElement): void {
    const { content, id, n } = row;
    if (content.kind === "callEnded") return this.#ended(row, element);
    if (content.kind !== "surveyed") {
      element.className = "notice";
      if (element.childElementCount === 0) element.append(h("span", {}, noticeText(row)));
      return;
    }
    const card = this.#cards.get(id);
    if (card !== undefined) return card === "coming" ? undefined : card.update();
    this.#cards.set(id, "coming");
    const { recorder, silent, list } = this.#options;
    const grew = (): void => void (list.atEnd && list.toEnd());
    import("./survey").then(
      ({ SurveyCard }) => this.#cards.set(
        id,
        new SurveyCard(
          element,
          n,
          { session: this.#session, recorder, voiceOff: silent, grew, announce: (text) => this.#say(text) },
        ),
      ),
      () => this.#cards.delete(id),
    );
  }

  /** A call that ended, with a way to say something where it came to nothing. */
  #ended(row: LaterRow, element: HTMLElement): void {
    if (element.childElementCount > 0) return;
    const { events } = this.#session.store.get().timeline;
    const { said, failed } = callText(row, events);
    element.className = "notice";
    element.append(h("span", {}, said));
    if (!failed || this.#options.silent() !== undefined) return;
    const leave = h("button", { type: "button", class: "link" }, contactCentreStrings.leaveVoice);
    leave.addEventListener("click", () => void this.#options.recorder.record());
    element.append(leave);
  }

  /** The same words twice are said once. */
  #say(text: string): void {
    if (text === this.#said) return;
    this.#said = text;
    // After screen readers noticed the live region.
    setTimeout(() => (this.#aloud.textContent = text), 100);
  }

  /** Calls `again` at the next of these moments. */
  #wake(moments: readonly (number | undefined)[], now: number, again: () => void): void {
    if (this.#timer !== undefined) systemClock.cancel(this.#timer);
    const next = Math.min(...moments.filter((at): at is number => at !== undefined && at > now));
    this.#timer = Number.isFinite(next) ? systemClock.after(Math.min(next - now + 50, LONGEST_MS), again) : undefined;
  }
}

/** The longest timer. An hour is often enough to see that "tomorrow" became "today". */
const LONGEST_MS = 3_600_000;
