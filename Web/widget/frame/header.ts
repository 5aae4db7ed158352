/** The header: whom one writes to, and who answers or until when nobody does. */
import type { Brand } from "../../client/core/api";
import { applyBrand } from "../../tokens/brand";
import { h, iconButton, set, setText } from "../../voice/ui/dom";
import { strings } from "../strings";

/** The brand's name and colours, one line of status, and the button that closes the widget. */
export class Header {
  readonly element: HTMLElement;
  /** Other buttons are placed before it. */
  readonly closer = iconButton("close", strings.close, { class: "closer", hidden: true });
  readonly #name = h("h1", { class: "brand", dir: "auto" }, strings.title);
  readonly #status = h("p", { class: "status", dir: "auto" });
  readonly #avatar = h("span", { class: "avatar", "aria-hidden": "true" });
  #brand: Brand | undefined;
  #look: string | undefined;

  constructor(close: () => void) {
    const words = h("div", { class: "words" }, this.#name, this.#status);
    this.element = h("header", { class: "head" }, this.#avatar, words, this.closer);
    this.closer.addEventListener("click", close);
  }

  /** The brand's colours as the launcher takes them; `undefined` before the brand is known. */
  get look(): string | undefined {
    return this.#look;
  }

  /** Shows the closing button where there is a page around to go back to. */
  closes(on: boolean): void {
    set(this.closer, { hidden: !on });
  }

  /** Shows the brand. - Returns whether it is another one than before. */
  show(brand: Brand): boolean {
    if (this.#brand === brand) return false;
    this.#brand = brand;
    this.#name.textContent = document.title = brand.name;
    this.#avatar.textContent = [...brand.name][0] ?? "";
    const logo = h("img", { src: brand.logo });
    // The letter stays where no logo comes.
    logo.onload = () => this.#avatar.replaceChildren(logo);
    const colors = applyBrand(document.documentElement, brand.color);
    if (colors) this.#look = `--0:${colors.brand};--1:${colors.onBrand}`;
    return true;
  }

  say(status: string): void {
    setText(this.#status, status);
  }
}
