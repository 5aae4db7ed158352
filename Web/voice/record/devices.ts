/**
 * The menu of microphones. Shown only where there is something to choose: browsers name no device before one was
 * allowed.
 */
import { microphones } from "./microphone-check";
import { h, set } from "../ui/dom";
import type { Recorder } from "./recorder";
import type { RecorderStrings } from "../ui/recorder-strings";

/** Creates the menu. */
export function microphoneMenu(recorder: Recorder, s: RecorderStrings): HTMLElement {
  const menu = h("select", { class: "rec-devices", "aria-label": s.microphone, hidden: true });
  menu.addEventListener("change", () => {
    void recorder.changeMicrophone(menu.value);
  });
  void microphones().then((all) => {
    const chosen = recorder.device;
    const choices = all.some(({ id }) => id === "default") ? all : [{ id: "", name: s.anyMicrophone }, ...all];
    menu.append(...choices.map(({ id, name }) => h("option", { value: id, selected: id === chosen }, name)));
    set(menu, { hidden: all.length < 2 });
  });
  return menu;
}
