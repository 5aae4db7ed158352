/** The consumer's menu, and the question before a conversation ends. */
import { h, iconButton, set } from "../../voice/ui/dom";
import { popup, type PopupItem } from "../../voice/ui/menu/popup";
import { dots } from "../icons";
import { contactCentreStrings } from "./contact-centre-strings";

/** The menu button in the header. */
export class ConsumerMenu {
  readonly button = iconButton(
    "close",
    contactCentreStrings.options,
    { class: "closer more", "aria-haspopup": "menu", "aria-expanded": "false", hidden: true },
  );
  readonly #end: () => void;

  /** `more`: the entries before the last one, which ends the conversation. */
  constructor(end: () => void, more: () => readonly PopupItem[]) {
    this.#end = end;
    this.button.replaceChildren(dots());
    this.button.addEventListener(
      "click",
      () => popup(
        this.button,
        contactCentreStrings.options,
        [...more(), { label: contactCentreStrings.end, kind: "item", run: () => this.#ask() }],
      ),
    );
  }

  /** Shows the menu. Only a conversation that is not closed can be ended. */
  show(on: boolean): void {
    set(this.button, { hidden: !on });
  }

  #ask(): void {
    const keep = h("button", { type: "button" }, contactCentreStrings.keep);
    const end = h("button", { type: "button", class: "strong" }, contactCentreStrings.endNow);
    const dialog = h(
      "dialog",
      { class: "ending", "aria-labelledby": "ending" },
      h("h2", { id: "ending" }, contactCentreStrings.endQuestion),
      h("p", {}, contactCentreStrings.endMore),
      h("div", {}, keep, end),
    );
    const close = (): void => {
      dialog.remove();
      this.button.focus();
    };
    // Escape is for the question alone, and not for the widget around it.
    dialog.addEventListener("keydown", (event) => event.key === "Escape" && event.stopPropagation());
    dialog.addEventListener("close", close);
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    keep.addEventListener("click", () => dialog.close());
    end.addEventListener("click", () => {
      dialog.close();
      this.#end();
    });
    document.body.append(dialog);
    dialog.showModal();
    keep.focus();
  }
}
