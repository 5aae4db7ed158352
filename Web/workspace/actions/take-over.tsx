import { type ReactElement } from "react";
import { useSessionState, useWorkspace } from "../app/session-context";
import { dialogTexts } from "../i18n/dialog-texts";
import { CloseButton, Dialog } from "../ui/dialog";

const text = dialogTexts.takeOver;

/** Asks before a conversation is taken from a colleague who is writing. Enter goes on. */
export default function TakeOverDialog({ c, close }: { c: string; close: () => void }): ReactElement {
  const { session } = useWorkspace();
  const row = useSessionState().inbox.rows.get(c);
  return (
    <Dialog label={text.title({ name: row?.toName ?? "" })} className="wrap-up" close={close}>
      <header className="bar">
        <h2>{text.title({ name: row?.toName ?? "" })}</h2>
        <CloseButton close={close} />
      </header>
      <p className="lead">{text.lead({ name: row?.toName ?? "", who: row?.who ?? "" })}</p>
      <footer className="dialog-foot">
        <button className="button" onClick={close}>{dialogTexts.cancel}</button>
        <button
          className="button button-main"
          data-focus
          onClick={() => {
            session.ask(c, { takeOver: {} });
            close();
          }}
        >
          {text.submit}
        </button>
      </footer>
    </Dialog>
  );
}
