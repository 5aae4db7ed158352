import type { ReactElement } from "react";
import { dialogTexts } from "../../i18n/dialog-texts";
import { CloseButton, Dialog } from "../../ui/dialog";

interface EffectsProps {
  readonly title: string;
  /** What will happen, a sentence each. */
  readonly effects: readonly string[];
  readonly confirm: string;
  readonly busy: boolean;
  readonly failed: boolean;
  readonly close: () => void;
  readonly act: () => void;
}

/** Says what an action does, before it is done. */
export function EffectsDialog({ title, effects, confirm, busy, failed, close, act }: EffectsProps): ReactElement {
  return (
    <Dialog label={title} className="block" close={close}>
      <header className="bar">
        <h2 dir="auto">{title}</h2>
        <CloseButton close={close} />
      </header>
      <ul className="block-effects">{effects.map((effect) => <li key={effect}>{effect}</li>)}</ul>
      <p className="problem" role="alert">{failed ? dialogTexts.block.notChanged : ""}</p>
      <footer className="dialog-foot">
        <button className="button" data-focus onClick={close}>{dialogTexts.cancel}</button>
        <button className="button button-danger" disabled={busy} onClick={act}>{confirm}</button>
      </footer>
    </Dialog>
  );
}
