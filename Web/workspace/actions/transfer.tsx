import { useEffect, useRef, useState, type FormEvent, type ReactElement } from "react";
import type { Standing } from "../../client/agent/people";
import { noteDraft } from "../../client/agent/agent-state";
import type { Transfer } from "../../client/agent/commands";
import { useBooths } from "../composer/recorders";
import { withHandOver } from "../composer/voice-parts";
import { useCentre, useSession, usePlace } from "../app/session-context";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { MicButton, RecorderPlace } from "../composer/recording";
import { go, useRoute } from "../app/route";
import { toast } from "../ui/toast";
import { words as eager } from "../i18n/contact-centre-words";
import { words } from "../i18n/later-words";

const text = words.transfer;
const RECORDED = ["recording", "paused", "stopped", "failed"];

interface Target {
  readonly id: string;
  readonly name: string;
  readonly to: Pick<Transfer, "skill" | "agent">;
  readonly group: "queue" | "skill" | "agent";
  readonly hint: string;
  readonly person?: Standing;
}

/** To whom, with what words: to a skill, to a person, or back to the queue. */
export default function TransferDialog({ c, close }: { c: string; close: () => void }): ReactElement {
  const { desk } = usePlace();
  const notes = useBooths()?.notes;
  const state = useSession();
  const route = useRoute();
  const targets = useTargets(c);
  const [find, setFind] = useState("");
  const [chosen, setChosen] = useState<string | undefined>();
  const note = state.drafts.get(noteDraft(c)) ?? "";
  const who = state.inbox.rows.get(c)?.who ?? "";
  const shown = targets.filter(({ name }) => name.toLowerCase().includes(find.trim().toLowerCase()));
  const target = shown.find(({ id }) => id === chosen) ?? (find.trim() === "" ? undefined : shown[0]);
  const left = useRef(false);

  const ask = (audio?: string): { transfer: Transfer } => ({ transfer: { ...target?.to, ...(note.trim() === "" ? {} : { note: note.trim() }), ...(audio ? { audio } : {}) } });
  const gone = (): void => {
    left.current = true;
    desk.draft(noteDraft(c), "", false);
    close();
    if (route.c === c) go({ ...route, c: undefined, card: false });
  };
  // What is recorded here goes along with the transfer, also when it is sent by the recorder's own button.
  useEffect(() => {
    if (target === undefined) return;
    const end = withHandOver(c, (media) => {
      queueMicrotask(gone);
      return ask(media);
    });
    return () => void (left.current || end());
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (target === undefined) return;
    const recorder = notes?.recorder(c);
    if (recorder !== undefined && RECORDED.includes(recorder.recording.phase)) {
      toast(text.sending(target.name));
      left.current = true;
      void recorder.send();
      return close();
    }
    desk.ask(c, ask());
    toast(text.done(target.name));
    gone();
  };

  return (
    <Dialog label={text.title(who)} className="transfer" close={close}>
      <form onSubmit={submit}>
        <header className="bar"><h2 dir="auto">{text.title(who)}</h2><Close close={close} /></header>
        <input className="field" type="search" data-focus value={find} onChange={(event) => setFind(event.target.value)} placeholder={text.find} aria-label={text.find} />
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
                  <label key={one.id} className="target">
                    <input type="radio" name="to" checked={one === target} onChange={() => setChosen(one.id)} />
                    {one.person !== undefined && <span className="presence-dot" data-state={one.person.presence.state} />}
                    <span className="target-name" dir="auto">{one.name}</span>
                    <span className="target-hint">{one.hint}</span>
                  </label>
                ))}
              </div>
            );
          })}
        </fieldset>
        <div className="hand-over">
          <label htmlFor="hand-over"><strong>{text.note}</strong> <span className="hint">{text.noteHint}</span></label>
          <div className="note-box">
            <textarea id="hand-over" className="field" rows={2} dir="auto" value={note} onChange={(event) => desk.draft(noteDraft(c), event.target.value, false)} />
            <MicButton c={c} status="open" ready note where="-dialog" />
          </div>
          <RecorderPlace c={c} note where="-dialog" />
        </div>
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={close}>{words.cancel}</button>
          <button className="button button-main" disabled={target === undefined}>{text.submit}<Icon name="arrow" flip /></button>
        </footer>
      </form>
    </Dialog>
  );
}

export function Close({ close }: { close: () => void }): ReactElement {
  return <button type="button" className="icon-button" aria-label={words.close} onClick={close}><Icon name="close" /></button>;
}

/** Everything to which this conversation can go now, with what one wants to know before choosing. */
function useTargets(c: string): readonly Target[] {
  const { desk, session } = usePlace();
  const { team, inbox } = useSession();
  const { centre, agents } = useCentre();
  useEffect(() => desk.topics.subscribe("team"), [desk]);
  const row = inbox.rows.get(c);
  const there = (skill: string): number => (team ?? []).filter((one) => one.skills.includes(skill) && one.presence.state === "online").length;
  const skills = (centre?.skills ?? []).map(({ id, name }): Target => ({
    id: `skill ${id}`, name, group: "skill", to: { skill: id }, hint: team === undefined ? "" : there(id) === 0 ? text.nobody : text.online(there(id)),
  }));
  const people = agents.filter(({ id, off }) => off !== true && id !== session.agent.id && id !== row?.to).map(({ id, name }): Target => {
    const person = team?.find((one) => one.id === id);
    return { id: `agent ${id}`, name, group: "agent", to: { agent: id }, hint: person === undefined ? "" : standing(person), ...(person ? { person } : {}) };
  });
  const order = (one: Target): number => ["online", "occupied", "away", "offline"].indexOf(one.person?.presence.state ?? "offline");
  const queue: Target = { id: "queue", name: text.queue, group: "queue", to: {}, hint: text.queueHint };
  return [...(row?.status === "waiting" ? [] : [queue]), ...skills, ...people.sort((a, b) => order(a) - order(b))];
}

function standing({ presence, load, capacity }: Standing): string {
  const state = presence.reason ?? eager.presence.states[presence.state];
  return `${state} · ${text.load((load / 1000).toLocaleString(undefined, { maximumFractionDigits: 1 }), capacity)}`;
}
