import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { noteDraft } from "../../client/agent/agent-state";
import { may } from "../../client/agent/permissions";
import type { Transfer } from "../../client/agent/commands";
import { useToast } from "../app/page-context";
import { go, useRoute } from "../app/route";
import { useSessionState, useWorkspace } from "../app/session-context";
import { useRecorders } from "../composer/recorders";
import { MicButton, RecorderSlot } from "../composer/recording";
import { dialogTexts } from "../i18n/dialog-texts";
import { CloseButton, Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { type Target, useTargets } from "./transfer-targets";

const text = dialogTexts.transfer;
const RECORDED = ["recording", "paused", "stopped", "failed"];

interface DialogProps {
  c: string;
  close: () => void;
}

/**
 * Transfers a conversation to a skill, to a person or back to the queue, with a note for the agent who takes it next.
 */
export default function TransferDialog({ c, close }: DialogProps): ReactElement {
  const { identity } = useWorkspace();
  const row = useSessionState().inbox.rows.get(c);
  const who = row?.who ?? "";
  const targets = useTargets(c);
  const [find, setFind] = useState("");
  const [chosen, setChosen] = useState<string | undefined>();
  const shown = targets.filter(({ name }) => name.toLowerCase().includes(find.trim().toLowerCase()));
  const target = shown.find(({ id }) => id === chosen) ?? (find.trim() === "" ? undefined : shown[0]);
  const transfer = useTransfer(c, target, close);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    transfer();
  };
  return (
    <Dialog label={text.title({ who })} className="transfer" close={close}>
      <form onSubmit={submit}>
        <header className="bar">
          <h2 dir="auto">{text.title({ who })}</h2>
          <CloseButton close={close} />
        </header>
        <input
          className="field"
          type="search"
          data-focus
          value={find}
          onChange={(event) => setFind(event.target.value)}
          placeholder={text.find}
          aria-label={text.find}
        />
        {row?.routing?.call && <p className="lead" role="alert">{text.inCall}</p>}
        <TargetList shown={shown} target={target} choose={setChosen} />
        {may(identity, "notes.read") && <HandOverNote c={c} />}
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={close}>{dialogTexts.cancel}</button>
          <button className="button button-main" disabled={target === undefined}>
            {text.submit}
            <Icon name="arrow" flip />
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Sends the transfer; where a spoken note is being recorded, as soon as that has been uploaded. */
function useTransfer(c: string, target: Target | undefined, close: () => void): () => void {
  const { session } = useWorkspace();
  const toast = useToast();
  const route = useRoute();
  const recorders = useRecorders();
  const note = (useSessionState().drafts.get(noteDraft(c)) ?? "").trim();
  const command: Transfer = { ...target?.to, ...(note === "" ? {} : { note }) };
  const key = target === undefined ? undefined : JSON.stringify(command);
  // A recording made here goes along with the transfer, also when the recorder's own button sends it.
  useEffect(() => {
    if (recorders === undefined || key === undefined) return;
    recorders.transfer({ kind: "prepared", c, transfer: JSON.parse(key) as Transfer });
    return () => recorders.transfer({ kind: "withdrawn", c });
  }, [recorders, c, key]);
  return () => {
    if (target === undefined) return;
    const recorder = recorders?.notes.recorder(c);
    if (recorder !== undefined && RECORDED.includes(recorder.recording.phase)) {
      toast(text.sending({ to: target.name }));
      recorders?.transfer({ kind: "submitted", c });
      void recorder.send();
      return close();
    }
    session.ask(c, { transfer: command });
    toast(text.done({ to: target.name }));
    session.draft(noteDraft(c), "", false);
    close();
    if (route.c === c) go({ ...route, c: undefined, card: false });
  };
}

interface TargetListProps {
  shown: readonly Target[];
  target: Target | undefined;
  choose: (id: string) => void;
}

function TargetList({ shown, target, choose }: TargetListProps): ReactElement {
  return (
    <fieldset className="targets">
      <legend className="aloud">{text.to}</legend>
      {shown.length === 0 && <p className="hint">{text.none}</p>}
      {(["queue", "skill", "agent"] as const).map((group) => {
        const members = shown.filter((one) => one.group === group);
        if (members.length === 0) return null;
        return (
          <div key={group} className="target-group">
            {group !== "queue" && <h3>{group === "skill" ? text.skills : text.people}</h3>}
            {members.map((one) => (
              <TargetRow
                key={one.id}
                target={one}
                checked={one === target}
                choose={() => choose(one.id)}
              />
            ))}
          </div>
        );
      })}
    </fieldset>
  );
}

function TargetRow(
  { target, checked, choose }: { target: Target; checked: boolean; choose: () => void },
): ReactElement {
  const { name, hint, person } = target;
  return (
    <label className="target">
      <input type="radio" name="to" checked={checked} onChange={choose} />
      {person !== undefined && <span className="presence-dot" data-state={person.presence.state} />}
      <span className="target-name" dir="auto">{name}</span>
      <span className="target-hint">{hint}</span>
    </label>
  );
}

/** The note for the next agent, typed or spoken. */
function HandOverNote({ c }: { c: string }): ReactElement {
  const { session } = useWorkspace();
  const note = useSessionState().drafts.get(noteDraft(c)) ?? "";
  return (
    <div className="hand-over">
      <label htmlFor="hand-over">
        <strong>{text.note}</strong> <span className="hint">{text.noteHint}</span>
      </label>
      <div className="note-box">
        <textarea
          id="hand-over"
          className="field"
          rows={2}
          dir="auto"
          value={note}
          onChange={(event) => session.draft(noteDraft(c), event.target.value, false)}
        />
        <MicButton c={c} status="open" ready note where="-dialog" />
      </div>
      <RecorderSlot c={c} note where="-dialog" />
    </div>
  );
}
