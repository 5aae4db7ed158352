import { type FormEvent, type ReactElement, useState } from "react";
import { openEnds, type OpenEnds, unansweredMessages, unplayedMessages } from "../../client/agent/closing/open-ends";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { dialogTexts } from "../i18n/dialog-texts";
import { CloseButton, Dialog } from "../ui/dialog";
import { dateTimeText, durationText, elapsedText, midnight, timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { finishConversation, wantsWrapUp } from "./dialog-state";

const text = dialogTexts.wrapUp;

interface DialogProps {
  readonly c: string;
  readonly close: () => void;
}

/** Closes a conversation, and asks the consumer how it was. */
export function CloseDialog(props: DialogProps): ReactElement {
  return <ClosingDialog {...props} quietly={false} />;
}

/** Closes a conversation without a survey. */
export function QuietCloseDialog(props: DialogProps): ReactElement {
  return <ClosingDialog {...props} quietly />;
}

/**
 * Says what closing would leave undone, and asks for the wrap-up code. Usable with arrow keys and Enter alone; where
 * nothing has to be chosen, Enter closes.
 */
function ClosingDialog({ c, close, quietly }: DialogProps & { quietly: boolean }): ReactElement {
  const workspace = useWorkspace();
  const { session } = workspace;
  const row = useSessionState().inbox.rows.get(c);
  const { required, choices } = useWrapUpCodes(row?.routing?.skill);
  const [asks] = useState(() => wantsWrapUp(workspace, c));
  const [chosen, setChosen] = useState<string | undefined>();
  const finish = (): void => {
    if (chosen !== undefined) session.ask(c, { dispose: chosen });
    finishConversation(session, c, quietly);
    close();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!asks || chosen !== undefined) finish();
  };
  const title = asks ? text.title : text.sure;
  return (
    <Dialog label={title} className="wrap-up" close={close}>
      <form onSubmit={submit}>
        <header className="bar">
          <h2>{title}</h2>
          <CloseButton close={close} />
        </header>
        <Undone c={c} ends={openEnds(row)} />
        {asks && <p className="lead">{required ? text.required : text.optional}</p>}
        {asks && <Codes choices={choices} chosen={chosen} choose={setChosen} />}
        <footer className="dialog-foot">
          {asks && !required && <button type="button" className="button" onClick={finish}>{text.skip}</button>}
          {!asks && <button type="button" className="button" onClick={close}>{dialogTexts.cancel}</button>}
          <button
            className="button button-main"
            data-focus={!asks || undefined}
            disabled={asks && chosen === undefined}
          >
            <Icon name="resolve" />
            {asks ? text.submit : text.anyway}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

interface Choice {
  readonly id: string;
  readonly name: string;
}

function useWrapUpCodes(skill: string | undefined): { required: boolean; choices: readonly Choice[] } {
  const { centre } = useCentre();
  return {
    required: centre?.skills.find(({ id }) => id === skill)?.disposition === "required",
    choices: (centre?.dispositions ?? []).filter((one) => one.skill === undefined || one.skill === skill),
  };
}

/** What closing would leave undone: what and how much. */
function Undone({ c, ends }: { c: string; ends: OpenEnds | undefined }): ReactElement | null {
  const timeline = useSessionState().threads.get(c)?.timeline;
  if (ends === undefined) return null;
  const { unplayedMs, callback, unanswered, call } = ends;
  const [voices, words] = timeline ? [unplayedMessages(timeline), unansweredMessages(timeline)] : [0, 0];
  const now = Date.now();
  return (
    <ul className="undone" aria-label={text.undone}>
      {call && (
        <li>
          <Icon name="warn" />
          {text.inCall}
        </li>
      )}
      {unanswered && (
        <li>
          <Icon name="clock" />
          {text.unanswered({ count: Math.max(1, words), time: elapsedText(unanswered.since, now, "long") })}
        </li>
      )}
      {unplayedMs !== undefined && (
        <li>
          <Icon name="ear" />
          {text.unplayed({ count: Math.max(1, voices), length: durationText(unplayedMs) })}
        </li>
      )}
      {unanswered?.due !== undefined && (
        <li>
          <Icon name="warn" />
          {(unanswered.due < now ? text.dueWas : text.due)({ time: momentText(unanswered.due, now) })}
        </li>
      )}
      {callback !== undefined && (
        <li>
          <Icon name="warn" />
          {(callback < now ? text.callbackWas : text.callback)({ time: momentText(callback, now) })}
        </li>
      )}
    </ul>
  );
}

/** The time of a moment, with its date unless that is today. */
const momentText = (at: number, now: number): string =>
  midnight(at) === midnight(now) ? timeText(at) : dateTimeText(at);

interface CodesProps {
  readonly choices: readonly Choice[];
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
}

function Codes({ choices, chosen, choose }: CodesProps): ReactElement {
  return (
    <fieldset className="targets">
      <legend className="aloud">{text.title}</legend>
      {choices.length === 0 && <p className="hint">{text.none}</p>}
      {choices.map(({ id, name }, index) => (
        <label key={id} className="target">
          <input
            type="radio"
            name="about"
            data-focus={index === 0 || undefined}
            checked={chosen === id}
            onChange={() => choose(id)}
          />
          <span className="target-name" dir="auto">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}
