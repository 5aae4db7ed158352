/** The screens without a conversation: loading, unreachable, refused, ended. */
import type { Phase } from "../../client/consumer/consumer-state";
import { h, icon } from "../../voice/ui/dom";
import { strings } from "../strings";

/** What the buttons of the screens do. */
export interface StatusScreenActions {
  retryNow(): void;
  renew(): void;
  /** What is shown instead of the usual refusal. */
  readonly refused?: (() => HTMLElement | undefined) | undefined;
}

/** The screen of a phase, or `undefined` where the conversation is shown. */
export function statusScreen(phase: Phase, loaded: boolean, actions: StatusScreenActions): HTMLElement | undefined {
  switch (phase) {
    case "unreachable":
      return message(strings.unreachable, strings.unreachableMore, strings.tryNow, () => actions.retryNow());
    case "refused":
      return actions.refused?.() ?? message(strings.refused, strings.refusedMore);
    case "ended":
      return message(strings.ended, strings.endedMore, strings.renew, () => actions.renew());
    default:
      return loaded ? undefined : skeleton();
  }
}

/** A screen with a text and a button. */
export function message(title: string, more: string, action?: string, run?: () => void): HTMLElement {
  const button = action === undefined ? undefined : h("button", { type: "button", class: "status-action" }, action);
  if (run) button?.addEventListener("click", run);
  return h(
    "div",
    { class: "status-screen", role: "alert" },
    h("span", { class: "status-icon" }, icon("alert")),
    h("h2", {}, title),
    h("p", {}, more),
    button,
  );
}

/** Placeholders in the shape of messages. */
function skeleton(): HTMLElement {
  const lines = ["", "own", "", "own wide"].map((kind) => h("span", { class: `skeleton-line ${kind}` }));
  return h("div", { class: "skeleton", role: "status" }, h("span", { class: "aloud" }, strings.loading), ...lines);
}
