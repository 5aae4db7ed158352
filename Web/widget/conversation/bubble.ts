/** One row of the conversation: made once, updated in place, so that a playing message never restarts. */
import type { Bubble, Delivery } from "../../client/conversation/thread";
import { h, icon, set } from "../../voice/ui/dom";
import type { IconName } from "../../voice/ui/dom";
import type { LaterRow, Row } from "./rows";
import { fill, strings } from "../strings";
import type { TimeFormat } from "./times";

/** What the rows need from the widget. */
export interface RowActions {
  /** A text with its links; `undefined` while the code for links is loading. */
  linked(text: string): (Node | string)[] | undefined;
  /** Makes the player of a voice message. */
  player(row: Bubble): HTMLElement;
  /** Shows in a player what changed of its message. */
  updatePlayer(element: HTMLElement, row: Bubble): void;
  readonly times: TimeFormat;
  again(key: string): void;
  discard(key: string): void;
  /** Fills a row whose code may still be loading; called again when it is loaded. */
  later(row: LaterRow, element: HTMLElement): void;
  /** Most characters of a text, for the reason under a refused one. */
  textLimit(): number;
}

/** A row's element, and how it is updated. */
export interface RowView {
  readonly element: HTMLElement;
  update(row: Row): void;
}

const ICONS: Record<Delivery, IconName> = {
  waiting: "clock", sending: "clock", sent: "tick", delivered: "ticks", read: "ticks", listened: "ear", failed: "alert",
};

/** Creates the element of a row. */
export function rowView(row: Row, actions: RowActions): RowView {
  if (row.row === "bubble") return new BubbleView(row, actions);
  if (row.row === "later") return laterView(row, actions);
  const text = row.row === "day" ? actions.times.day(row.at) : fill(
    strings[row.what === "resumed" ? "joined" : row.what], row,
  );
  return { element: h("li", { class: row.row, "data-id": row.id }, h("span", {}, text)), update: () => {} };
}

function laterView(row: LaterRow, actions: RowActions): RowView {
  const element = h("li", { "data-id": row.id });
  actions.later(row, element);
  return { element, update: () => actions.later(row, element) };
}

class BubbleView implements RowView {
  readonly element: HTMLElement;
  readonly #name = h("div", { class: "name" });
  readonly #meta = h("div", { class: "meta" });
  readonly #failure = h("div", { class: "failure", hidden: true });
  readonly #text = h("span");
  #voice: HTMLElement | undefined;
  #shown = "";
  readonly #actions: RowActions;

  constructor(row: Bubble, actions: RowActions) {
    this.#actions = actions;
    const who = h("span", { class: "aloud" }, row.own ? `${strings.you}: ` : "");
    const box = h(
      "div",
      { class: `box box-${row.said.kind}`, dir: row.said.kind === "text" ? "auto" : undefined },
      who,
      this.#content(row),
    );
    this.element = h(
      "li",
      { class: row.own ? "bubble own" : row.by === 0 ? "bubble auto" : "bubble", "data-id": row.id },
      this.#name,
      box,
      this.#meta,
      this.#failure,
    );
    this.update(row);
  }

  update(row: Row): void {
    if (row.row !== "bubble") return;
    this.element.classList.toggle("first", row.first);
    this.element.classList.toggle("last", row.last);
    set(this.element, { "data-delivery": row.delivery });
    this.#name.textContent = row.by < 2 || !row.first ? "" : row.name || strings.brand;
    // The server may have masked a card number in what was sent.
    if (row.said.kind === "text") this.#updateText(row.said.text);
    this.#updateVoice(row);
    this.#updateMeta(row);
    this.#updateFailure(row);
  }

  #content(row: Bubble): Node {
    if (row.said.kind === "text") return this.#text;
    this.#voice = this.#actions.player(row);
    this.#shown = stateOf(row);
    return this.#voice;
  }

  #updateText(text: string): void {
    if (this.#shown === text) return;
    const linked = this.#actions.linked(text);
    if (linked) this.#shown = text;
    this.#text.replaceChildren(...(linked ?? [text]));
  }

  #updateVoice(row: Bubble): void {
    if (!this.#voice || this.#shown === stateOf(row)) return;
    this.#shown = stateOf(row);
    this.#actions.updatePlayer(this.#voice, row);
  }

  #updateMeta(row: Bubble): void {
    const { delivery, played } = row;
    const partly = played && played.percent > 0 && !played.listened ? fill(
      strings.partly, { percent: Math.round(played.percent) },
    ) : undefined;
    // The playback progress of a voice message is shown under it also in the middle of a run.
    set(this.#meta, { hidden: !row.last && !(row.own && played && played.percent > 0) });
    const parts: (Node | string)[] = [
      h("time", { dir: "auto", datetime: new Date(row.at).toISOString() }, this.#actions.times.time(row.at)),
    ];
    if (delivery) parts.push(
      icon(ICONS[delivery]),
      h(
        "span",
        { class: "delivery", title: partly },
        strings[delivery],
        partly && h("span", { class: "aloud" }, `, ${partly}`),
      ),
    );
    this.#meta.replaceChildren(...parts);
  }

  #updateFailure(row: Bubble): void {
    const { failed } = row;
    set(this.#failure, { hidden: !failed });
    if (!failed || this.#failure.childElementCount > 0) return;
    const again = h("button", { type: "button" }, icon("again"), strings.again);
    const discard = h("button", { type: "button" }, icon("trash"), strings.discard);
    again.addEventListener("click", () => this.#actions.again(failed.key));
    discard.addEventListener("click", () => this.#actions.discard(failed.key));
    const why = failed.code === "text_too_long" ? fill(
      strings.tooLong, { limit: this.#actions.textLimit() },
    ) : failed.text;
    this.#failure.append(h("p", {}, why), again, discard);
  }
}

/** What a player has to be shown again after a change: its number and its scan. */
function stateOf({ n, said, unplayed }: Bubble): string {
  return said.kind === "audio" ? `${n} ${said.audio.scan ?? ""} ${unplayed === true}` : "";
}
