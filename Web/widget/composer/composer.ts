/** The composer: grows with the text, counts near the limit, and has the microphone button. */
import { scalars } from "../../client/core/text";
import { h, iconButton, set } from "../../voice/ui/dom";
import { fill, plural, strings } from "../strings";

/** What the composer asks the widget to do. */
export interface ComposerEvents {
  send(text: string): void;
  record(): void;
  typing(on: boolean): void;
  draft(text: string): void;
  announce(text: string): void;
}

/** The counter shows when so many characters are left. */
const COUNT_FROM = 200;
/** A touch of this length is a long press. */
const HOLD_MS = 350;
const HINT_MS = 4000;
const GROWS_BY_ITSELF = CSS.supports("field-sizing", "content");

/** The form at the bottom of the widget. */
export class Composer {
  readonly element: HTMLFormElement;
  readonly #input = h(
    "textarea",
    { rows: 1, class: "input", "aria-label": strings.message, dir: "auto", enterkeyhint: "send", autocomplete: "off" },
  );
  readonly #counter = h("span", { class: "counter", id: "counter", hidden: true });
  readonly #hint = h("span", { class: "hold-hint", hidden: true });
  readonly #mic = iconButton("mic", strings.record, { class: "round mic" });
  readonly #sender = iconButton("send", strings.send, { class: "round sender", type: "submit" });
  #limit = 2000;
  #over = false;
  #held: ReturnType<typeof setTimeout> | undefined;
  #byTouch = false;
  #hintedAt = -Infinity;
  #off: string | undefined;
  #hiding: ReturnType<typeof setTimeout> | undefined;
  readonly #events: ComposerEvents;

  constructor(events: ComposerEvents) {
    this.#events = events;
    this.element = h("form", { class: "composer" }, this.#input, this.#counter, this.#hint, this.#mic, this.#sender);
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#input.addEventListener("input", () => this.#changed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => events.typing(false));
    this.#listenToMic();
    this.#render();
  }

  focus(): void {
    this.#input.focus({ preventScroll: true });
  }

  focusMic(): void {
    this.#mic.focus();
  }

  /** Turns voice messages off for this reason, or on (`undefined`). */
  silence(why: string | undefined): void {
    this.#off = why;
    set(
      this.#mic,
      {
        "aria-disabled": why === undefined ? undefined : "true",
        "aria-label": why === undefined ? strings.record : `${strings.record}. ${why}`,
        title: why ?? strings.record,
      },
    );
  }

  /** Shows a hint about the microphone for a moment. */
  tell(text: string): void {
    this.#hint.textContent = text;
    set(this.#hint, { hidden: false });
    this.#events.announce(text);
    clearTimeout(this.#hiding);
    this.#hiding = setTimeout(() => set(this.#hint, { hidden: true }), HINT_MS);
  }

  /** Shows the microphone button as busy while the recorder's code loads. */
  async fetching(run: Promise<boolean>): Promise<boolean> {
    set(this.#mic, { "aria-busy": "true" });
    return run.finally(() => set(this.#mic, { "aria-busy": undefined }));
  }

  configure(limit: number, placeholder: string): void {
    if (limit === this.#limit && placeholder === this.#input.placeholder) return;
    this.#limit = limit;
    set(this.#input, { placeholder });
    this.#render();
  }

  /** Puts an unsent text back. */
  restore(text: string): void {
    if (this.#input.value !== "" || text === "") return;
    this.#input.value = text;
    this.#render();
  }

  #changed(): void {
    this.#events.draft(this.#input.value);
    this.#events.typing(this.#input.value.trim() !== "");
    this.#render();
  }

  #key(event: KeyboardEvent): void {
    // During composition with an input method, Enter chooses a word.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    this.#submit();
  }

  #submit(): void {
    const text = this.#input.value.trim();
    if (text === "" || scalars(text) > this.#limit) return this.focus();
    this.#input.value = "";
    this.#events.send(text);
    this.#events.draft("");
    this.#render();
    this.focus();
  }

  #render(): void {
    const text = this.#input.value.trim();
    const used = scalars(text);
    const over = used - this.#limit;
    this.#counter.textContent = over > 0 ? plural(strings.over, over, strings.language) : fill(
      strings.counter, { used, limit: this.#limit },
    );
    set(this.#counter, { hidden: used < this.#limit - COUNT_FROM, "data-over": over > 0 });
    set(
      this.#input,
      {
        "aria-describedby": used < this.#limit - COUNT_FROM ? undefined : "counter",
        "aria-invalid": over > 0 ? "true" : undefined,
      },
    );
    set(this.#sender, { disabled: text === "" || over > 0 });
    this.element.classList.toggle("has-text", text !== "");
    if (over > 0 && !this.#over) this.#events.announce(this.#counter.textContent);
    this.#over = over > 0;
    this.#grow();
  }

  /** Newer browsers do it by `field-sizing`, without a layout in the middle of things. */
  #grow(): void {
    if (GROWS_BY_ITSELF) return;
    this.#input.style.blockSize = "auto";
    this.#input.style.blockSize = `${this.#input.scrollHeight}px`;
  }

  // A click with mouse or keyboard records. Touch needs a long press; a short tap shows a hint, and the next one
  // records.

  #listenToMic(): void {
    const mic = this.#mic;
    mic.addEventListener("pointerdown", (event) => {
      this.#byTouch = event.pointerType === "touch";
      if (this.#byTouch) this.#held = setTimeout(() => this.#hold(), HOLD_MS);
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) mic.addEventListener(end, () => this.#unhold());
    mic.addEventListener("contextmenu", (event) => event.preventDefault());
    mic.addEventListener("click", () => this.#clicked());
  }

  #hold(): void {
    this.#held = undefined;
    this.#byTouch = false;
    navigator.vibrate?.(12);
    swallowRelease();
    this.#record();
  }

  #unhold(): void {
    if (this.#held !== undefined) clearTimeout(this.#held);
    this.#held = undefined;
  }

  #clicked(): void {
    if (!this.#byTouch || this.#off !== undefined || performance.now() - this.#hintedAt < HINT_MS)
      return this.#record();
    this.#hintedAt = performance.now();
    this.tell(strings.holdHint);
  }

  #record(): void {
    this.#byTouch = false;
    if (this.#off !== undefined) return this.tell(this.#off);
    this.#hintedAt = -Infinity;
    set(this.#hint, { hidden: true });
    this.#events.record();
  }
}

/** After a long press the finger lifts over another element: that must not click it. */
function swallowRelease(): void {
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopPropagation();
  };
  const released = (): void => void setTimeout(() => removeEventListener("click", swallow, true), RELEASE_MS);
  addEventListener("click", swallow, true);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, released, { once: true });
}

/** A click follows the release of its finger within this. */
const RELEASE_MS = 60;
