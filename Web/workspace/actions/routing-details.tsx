import { type ReactElement, useEffect, useState } from "react";
import { type RoutingDetails, routingDetails } from "../../client/agent/agent-api";
import { request } from "../app/agent-session";
import { useNameOf } from "../app/session-context";
import { CloseButton, Dialog } from "../ui/dialog";
import { timeText } from "../ui/format";
import { Icon } from "../ui/icons";
import { dialogTexts } from "../i18n/dialog-texts";

const text = dialogTexts.why;

/** Shows a conversation's position in the queue, its score, and which agents are eligible. */
export default function RoutingDetailsDialog({ c, close }: { c: string; close: () => void }): ReactElement {
  const [answer, setAnswer] = useState<RoutingDetails | "coming" | "failed">("coming");
  useEffect(() => {
    if (answer === "coming") routingDetails(request, c).then(setAnswer, () => setAnswer("failed"));
  }, [answer, c]);
  return (
    <Dialog label={text.title} className="why" close={close}>
      <header className="bar">
        <h2>{text.title}</h2>
        <CloseButton close={close} />
      </header>
      <div className="why-body" tabIndex={0} role="region" aria-label={text.title}>
        {answer === "coming" && <p className="hint" role="status">{text.loading}</p>}
        {answer === "failed" && (
          <p className="hint" role="alert">
            {text.failed} <button className="link" onClick={() => setAnswer("coming")}>{text.again}</button>
          </p>
        )}
        {typeof answer === "object" && <Explanation details={answer} />}
      </div>
    </Dialog>
  );
}

function Explanation({ details }: { details: RoutingDetails }): ReactElement {
  const nameOf = useNameOf();
  const number = (value: number): string => value.toLocaleString(undefined, { maximumFractionDigits: 2 });
  return (
    <>
      {details.position !== undefined && <p className="why-place">{text.position({ n: details.position })}</p>}
      {details.due !== undefined && <p className="hint">{text.due({ time: timeText(details.due) })}</p>}
      <h3>
        {text.score} <span className="count">{number(details.total)}</span>
      </h3>
      <dl className="why-parts">
        {details.parts.filter(({ value }) => value !== 0).map(({ name, value, text: reason }) => (
          <div key={name}>
            <dt>{reason || name}</dt>
            <dd>{number(value)}</dd>
          </div>
        ))}
      </dl>
      {details.agents.length > 0 && <h3>{text.agents}</h3>}
      <ul className="why-agents">
        {[...details.agents].sort((a, b) => Number(b.able) - Number(a.able)).map(({ id, name, able, text: reason }) => (
          <li key={id} data-able={able || undefined}>
            <Icon name={able ? "check" : "close"} />
            <strong dir="auto">{name || nameOf(id)}</strong>
            <span>{reason || (able ? text.able : text.not)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
