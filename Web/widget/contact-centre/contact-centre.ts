/**
 * What the widget shows after the first message: the expected reply time, the menu, the survey. Loaded when first
 * needed.
 */
import { systemClock } from "../../client/core/browser";
import type { ConsumerSession } from "../../client/consumer/consumer-session";
import type { ConsumerState } from "../../client/consumer/consumer-state";
import { promised } from "../../client/conversation/waiting";
import { h } from "../../voice/ui/dom";
import { ConsumerMenu } from "./consumer-menu";
import type { LaterRow } from "../conversation/rows";
import type { List } from "../conversation/list";
import type { WidgetRecorder } from "../composer/recorder";
import type { SurveyCard } from "./survey";
import { headOfOpen, noticeText, wordsOf } from "./waiting-text";
import type { Words } from "./waiting-text";

/** What this part needs from the widget. */
export interface ContactCentreOptions {
  /** The menu button is placed before this element. */
  readonly head: HTMLElement;
  /** Why voice messages are off; `undefined` where they are on. */
  readonly silent: () => string | undefined;
  readonly recorder: WidgetRecorder;
  readonly list: Pick<List, "atEnd" | "toEnd">;
}

/** The expected reply time, the menu and the surveys. */
export class ContactCentrePanel {
  /** The live region for screen readers. */
  readonly #aloud = h("div", { class: "aloud", role: "status" });
  readonly #menu: ConsumerMenu;
  readonly #cards = new Map<string, SurveyCard | "coming">();
  #said = "";
  #timer: number | undefined;
  readonly #session: ConsumerSession;
  readonly #options: ContactCentreOptions;

  constructor(session: ConsumerSession, options: ContactCentreOptions) {
    this.#session = session;
    this.#options = options;
    document.body.append(this.#aloud);
    this.#menu = new ConsumerMenu(() => session.say({ kind: "close" }));
    options.head.before(this.#menu.button);
  }

  /** The texts about waiting, now. `again` is called when the clock changes them. */
  words({ expect, timeline }: ConsumerState, again: () => void): Words {
    const now = systemClock.now();
    const { status, events, people } = timeline;
    this.#menu.show(status === "waiting" || status === "open");
    const goes = status === "waiting" || status === "open";
    const expected = goes ? expect : undefined;
    const promise = goes ? promised(events, people, now) : undefined;
    const words = { ...(status === "open" ? headOfOpen(events, people) : {}), ...wordsOf(expected, promise, now) };
    this.#say([words.head, words.line].filter(Boolean).join(". "));
    this.#wake([expected?.by, promise?.until].filter((at): at is number => at !== undefined && at > now), now, again);
    return words;
  }

  /** Fills a row of the list. */
  row(row: LaterRow, element: HTMLElement): void {
    const { content, id, n } = row;
    if (content.kind !== "surveyed") {
      element.className = "notice";
      if (element.childElementCount === 0) element.append(h("span", {}, noticeText(row, systemClock.now())));
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

  /** The same words twice are said once. */
  #say(text: string): void {
    if (text === this.#said) return;
    this.#said = text;
    // After screen readers noticed the live region.
    setTimeout(() => (this.#aloud.textContent = text), 100);
  }

  /** Calls `again` at the next of these moments. */
  #wake(moments: readonly number[], now: number, again: () => void): void {
    if (this.#timer !== undefined) systemClock.cancel(this.#timer);
    const next = Math.min(...moments);
    this.#timer = Number.isFinite(next) ? systemClock.after(Math.min(next - now + 50, LONGEST_MS), again) : undefined;
  }
}

/** The longest timer. An hour is often enough to see that "tomorrow" became "today". */
const LONGEST_MS = 3_600_000;
