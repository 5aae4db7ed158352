/** The conversation as a list that keeps its place: at the end while one is there, where one reads otherwise. */
import { h, icon, set } from "../../voice/ui/dom";
import { rowView } from "./bubble";
import type { RowActions, RowView } from "./bubble";
import type { Row } from "./rows";
import { fill, strings } from "../strings";

/** Closer to the end than this counts as the end. */
const NEAR_PX = 48;
/** Closer to the top than this asks for older messages. */
const OLDER_PX = 240;

/** What the list asks the widget to do. */
export interface ListEvents extends RowActions {
  older(): void;
  /** The reader reached the end, where the newest message is. */
  atEnd(): void;
}

/** The scrolling list of rows. */
export class List {
  readonly element: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #rows = h("ol", { class: "rows" });
  readonly #older = h("p", { class: "older", hidden: true }, strings.older);
  // The direction is that of the words: the picture above them stands on the same side.
  readonly #welcome = h("div", { class: "welcome", dir: "auto" });
  readonly #jump = h("button", { type: "button", class: "jump", hidden: true }, icon("down"), strings.jump);
  readonly #typing = h("p", { class: "typing" });
  readonly #views = new Map<string, RowView>();
  #first: string | undefined;
  #last: string | undefined;
  #stuck = true;
  readonly #events: ListEvents;

  constructor(events: ListEvents) {
    this.#events = events;
    this.#scroller = h(
      "div",
      { class: "scroller", tabindex: 0, role: "region", "aria-label": strings.conversation },
      this.#welcome,
      this.#rows,
    );
    this.element = h("main", { class: "list" }, this.#scroller, this.#older, this.#jump, this.#typing);
    this.#scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.#jump.addEventListener("click", () => this.toEnd(true));
    new ResizeObserver(() => this.#stuck && this.toEnd()).observe(this.#scroller);
  }

  /** True while the newest message is in view. */
  get atEnd(): boolean {
    return this.#stuck;
  }

  show(rows: readonly Row[], state: { more: boolean; loadingOlder: boolean }): void {
    // Day separators move when older messages arrive: only messages tell whether the list grew at the top.
    const [first, last] = [rows.find((row) => row.row !== "day"), rows[rows.length - 1]];
    const fromEnd = this.#scroller.scrollHeight - this.#scroller.scrollTop;
    const grewAbove = this.#first !== undefined && first?.id !== this.#first && this.#views.has(this.#first);
    const own = last?.row === "bubble" && last.own && last.id !== this.#last;
    const news = this.#last !== undefined && last?.id !== this.#last;
    this.#reconcile(rows);
    set(this.#older, { hidden: !state.loadingOlder });
    set(this.#welcome, { hidden: state.more });
    [this.#first, this.#last] = [first?.id, last?.id];
    if (grewAbove && !this.#stuck) this.#scroller.scrollTop = this.#scroller.scrollHeight - fromEnd;
    if (own || this.#stuck) this.toEnd();
    else if (news) set(this.#jump, { hidden: false });
  }

  /** Sets the greeting above the first message. */
  greet(text: string, hint: string): void {
    this.#welcome.replaceChildren(h("h2", {}, text), h("p", { hidden: hint === "" }, hint));
  }

  /** Shows who types, or `otherwise`. */
  showTyping(names: readonly string[] | undefined, otherwise = ""): void {
    const name = names?.[0];
    const text = names === undefined ? otherwise : name ? fill(strings.typing, { name }) : strings.typingNobody;
    if (this.#typing.dataset["text"] === text) return;
    this.#typing.dataset["text"] = text;
    const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
    this.#typing.replaceChildren(...(names ? [dots, text] : [text]));
  }

  toEnd(smooth = false): void {
    this.#stuck = true;
    set(this.#jump, { hidden: true });
    const { scrollHeight: top, scrollTop, clientHeight } = this.#scroller;
    const near = top - scrollTop < 3 * clientHeight;
    this.#scroller.scrollTo({ top, behavior: smooth && near ? "smooth" : "auto" });
  }

  #scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    this.#stuck = scrollHeight - scrollTop - clientHeight < NEAR_PX;
    if (this.#stuck) {
      set(this.#jump, { hidden: true });
      this.#events.atEnd();
    }
    if (scrollTop < OLDER_PX) this.#events.older();
  }

  #reconcile(rows: readonly Row[]): void {
    const keep = new Set(rows.map((row) => row.id));
    for (const [id, view] of this.#views) {
      if (keep.has(id)) continue;
      view.element.remove();
      this.#views.delete(id);
    }
    let next: ChildNode | null = this.#rows.firstChild;
    for (const row of rows) {
      const known = this.#views.get(row.id);
      const view = known ?? rowView(row, this.#events);
      this.#views.set(row.id, view);
      known?.update(row);
      if (view.element === next) next = next.nextSibling;
      else this.#rows.insertBefore(view.element, next);
    }
  }
}
