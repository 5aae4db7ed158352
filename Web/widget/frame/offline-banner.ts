/** The banner of a lost connection. */
import { h, icon } from "../../voice/ui/dom";
import { strings } from "../strings";

/** Don't show the banner for brief disconnects. */
const SHOWS_AFTER_MS = 1500;

/** Shows itself while the connection is lost for longer than a moment. */
export class OfflineBanner {
  /** The place of the banner; a live region, so it exists before it says something. */
  readonly element = h("div", { class: "banner", role: "status" });
  readonly #retryNow: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(retryNow: () => void) {
    this.#retryNow = retryNow;
  }

  /** Says whether the connection is lost. */
  update(lost: boolean): void {
    if (lost) this.#timer ??= setTimeout(() => this.#show(), SHOWS_AFTER_MS);
    if (lost || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.element.replaceChildren();
  }

  #show(): void {
    const retry = h("button", { type: "button" }, strings.tryNow);
    retry.addEventListener("click", this.#retryNow);
    this.element.replaceChildren(icon("alert"), h("span", {}, strings.offline), retry);
  }
}
