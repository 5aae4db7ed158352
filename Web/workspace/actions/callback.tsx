import { type KeyboardEvent, type ReactElement, useState } from "react";
import { useSessionState, useWorkspace } from "../app/session-context";
import { CloseButton, Dialog } from "../ui/dialog";
import { timeText } from "../ui/format";
import { useTick } from "../app/clock";
import { useToast } from "../app/page-context";
import { dialogTexts } from "../i18n/dialog-texts";

const text = dialogTexts.promise;
const MINUTES = [15, 30, 45, 60];
const MINUTE = 60_000;
/** The server's limit: a week. */
const MOST = 7 * 24 * 60;

/** Snoozes a conversation: one key or click for the usual times. */
export default function CallbackDialog({ c, close }: { c: string; close: () => void }): ReactElement {
  const { session } = useWorkspace();
  const { inbox } = useSessionState();
  const toast = useToast();
  const now = useTick();
  const snooze = (count: number): void => {
    session.ask(c, { callback: count * 60 });
    toast(text.done({ time: timeText(Date.now() + count * MINUTE) }));
    close();
  };
  const key = (event: KeyboardEvent): void => {
    const chosen = MINUTES[Number(event.key) - 1];
    if (chosen === undefined || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    snooze(chosen);
  };
  return (
    <Dialog label={text.title} className="callback" close={close}>
      <div onKeyDown={key}>
        <header className="bar">
          <h2>{text.title}</h2>
          <CloseButton close={close} />
        </header>
        <p className="lead" dir="auto">{text.lead({ who: inbox.rows.get(c)?.who ?? "" })}</p>
        <div className="snooze-times">
          {MINUTES.map((count, index) => (
            <button
              key={count}
              className="snooze-time"
              data-focus={index === 0 || undefined}
              onClick={() => snooze(count)}
            >
              <strong>{text.minutes({ count })}</strong>
              <span>{text.until({ time: timeText(now + count * MINUTE) })}</span>
              <kbd>{index + 1}</kbd>
            </button>
          ))}
        </div>
        <OtherTime now={now} snooze={snooze} />
      </div>
    </Dialog>
  );
}

/** Snoozes for any number of minutes. */
function OtherTime({ now, snooze }: { now: number; snooze: (minutes: number) => void }): ReactElement {
  const [own, setOwn] = useState("");
  const minutes = Number(own);
  const valid = own !== "" && Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST;
  return (
    <form
      className="snooze-own"
      onSubmit={(event) => {
        event.preventDefault();
        if (valid) snooze(minutes);
      }}
    >
      <label>
        {text.own}{" "}
        <input
          className="field"
          type="number"
          min={1}
          max={MOST}
          value={own}
          onChange={(event) => setOwn(event.target.value)}
          aria-label={text.ownMinutes}
        />
      </label>
      <span className="hint">
        {valid ? `min, ${text.until({ time: timeText(now + minutes * MINUTE) })}` : "min"}
      </span>
      <button className="button button-main" disabled={!valid}>{text.submit}</button>
    </form>
  );
}
