import { type FormEvent, type ReactElement, useState } from "react";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { CloseButton, Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { dialogTexts } from "../i18n/dialog-texts";

const text = dialogTexts.wrapUp;

/** Asks for the wrap-up code before a conversation is closed. Usable with arrow keys and Enter alone. */
export default function WrapUpDialog({ c, close }: { c: string; close: () => void }): ReactElement {
  const { session } = useWorkspace();
  const { inbox } = useSessionState();
  const { centre } = useCentre();
  const skill = inbox.rows.get(c)?.routing?.skill;
  const required = centre?.skills.find(({ id }) => id === skill)?.disposition !== "optional";
  const choices = (centre?.dispositions ?? []).filter((one) => one.skill === undefined || one.skill === skill);
  const [chosen, setChosen] = useState<string | undefined>();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen === undefined) return;
    session.ask(c, { dispose: chosen });
    session.finish(c);
    close();
  };
  return (
    <Dialog label={text.title} className="wrap-up" close={close}>
      <form onSubmit={submit}>
        <header className="bar">
          <h2>{text.title}</h2>
          <CloseButton close={close} />
        </header>
        <p className="lead">{required ? text.required : text.optional}</p>
        <fieldset className="targets">
          <legend className="aloud">{text.title}</legend>
          {choices.length === 0 && <p className="hint">{text.none}</p>}
          {choices.map(({ id, name }, index) => (
            <Code
              key={id}
              name={name}
              first={index === 0}
              chosen={chosen === id}
              choose={() => setChosen(id)}
            />
          ))}
        </fieldset>
        <footer className="dialog-foot">
          {!required && (
            <button
              type="button"
              className="button"
              onClick={() => {
                session.finish(c);
                close();
              }}
            >
              {text.skip}
            </button>
          )}
          <button className="button button-main" disabled={chosen === undefined}>
            <Icon name="resolve" />
            {text.submit}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface CodeProps {
  readonly name: string;
  readonly first: boolean;
  readonly chosen: boolean;
  readonly choose: () => void;
}

function Code({ name, first, chosen, choose }: CodeProps): ReactElement {
  return (
    <label className="target">
      <input type="radio" name="about" data-focus={first || undefined} checked={chosen} onChange={choose} />
      <span className="target-name" dir="auto">{name}</span>
    </label>
  );
}
