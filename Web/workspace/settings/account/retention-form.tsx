import { type ReactElement, useCallback, useEffect, useState } from "react";
import { HTTPProblem } from "../../../client/core/api";
import { useToast } from "../../app/page-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { dateTimeText } from "../../ui/format";
import { TextField } from "../fields";
import { NumberField } from "../number-fields";
import { useAsk, useNames } from "../settings-context";
import { actorName } from "./actor-name";
import { bytesText, conversationIn, type DueCounts, parseRetention, type Retention, RETENTION_DAYS } from "./retention";

const texts = settingsTexts.retention;
const [SHORTEST, LONGEST] = RETENTION_DAYS;

/** How long conversations are kept, what is due, legal holds, erasure and receipts. Saved by its own buttons. */
export function RetentionForm(): ReactElement {
  const ask = useAsk();
  const [known, setKnown] = useState<Retention | undefined>();
  const [failed, setFailed] = useState(false);
  const load = useCallback(() => {
    ask("GET", "/v1/retention").then((json) => {
      setKnown(parseRetention(json));
      setFailed(false);
    }, () => setFailed(true));
  }, [ask]);
  useEffect(load, [load]);
  if (failed && known === undefined) return <p className="bad">{settingsTexts.failed}</p>;
  if (known === undefined) return <p className="a-hint">{settingsTexts.loading}</p>;
  return (
    <>
      <Period known={known} reload={load} />
      <OneConversation reload={load} />
      <Holds known={known} reload={load} />
      <Receipts known={known} />
    </>
  );
}

interface PartProps {
  readonly known: Retention;
  readonly reload: () => void;
}

function Period({ known, reload }: PartProps): ReactElement {
  const ask = useAsk();
  const toast = useToast();
  const [days, setDays] = useState(known.days);
  const [due, setDue] = useState<DueCounts>(known.due);
  useEffect(() => (setDays(known.days), setDue(known.due)), [known]);
  const fits = Number.isInteger(days) && days >= SHORTEST && days <= LONGEST;
  useEffect(() => {
    if (!fits) return;
    let current = true;
    ask("GET", `/v1/retention?days=${days}`).then((json) => current && setDue(parseRetention(json).due), () => {});
    return () => {
      current = false;
    };
  }, [ask, days, fits]);
  const save = (): void => {
    ask("PUT", "/v1/retention", { days }).then(() => {
      toast(texts.saved({ days }));
      reload();
    }, () => toast(texts.failed, true));
  };
  return (
    <section className="retention">
      <h3>{texts.title}</h3>
      {known.waitsForClock && <p className="bad" role="alert">{texts.clock}</p>}
      <NumberField label={texts.days} hint={texts.daysHint} value={days} set={setDays} unit={texts.unit} />
      <p className={fits ? "a-hint" : "bad"} role="status">
        {!fits
          ? texts.range({ shortest: SHORTEST, longest: LONGEST })
          : due.conversations === 0
          ? texts.nothingDue
          : texts.due({
            conversations: due.conversations,
            recordings: due.recordings,
            size: bytesText(due.bytes),
            oldest: dateTimeText(due.oldest ?? 0),
          })}
      </p>
      <button type="button" className="button" disabled={!fits || days === known.days} onClick={save}>
        {texts.save}
      </button>
    </section>
  );
}

/** A hold or an erasure of one conversation. */
function OneConversation({ reload }: { readonly reload: () => void }): ReactElement {
  const ask = useAsk();
  const toast = useToast();
  const [address, setAddress] = useState("");
  const [reason, setReason] = useState("");
  const [sure, setSure] = useState(false);
  const id = conversationIn(address);
  const ready = id !== undefined && reason.trim() !== "";
  const send = (method: string, what: string, done: string): void => {
    setSure(false);
    ask(method, `/v1/conversations/${id}/${what}`, { reason: reason.trim() }).then(() => {
      toast(done);
      setAddress("");
      setReason("");
      reload();
    }, (error: unknown) => toast(what === "erasure" && isForbidden(error) ? texts.held : texts.failed, true));
  };
  return (
    <section className="retention">
      <h3>{texts.one}</h3>
      <p className="a-hint">{texts.oneHint}</p>
      <TextField label={texts.address} hint={texts.addressHint} value={address} set={setAddress} />
      <TextField label={texts.reason} hint={texts.reasonHint} value={reason} set={setReason} />
      <div className="retention-do">
        <button type="button" className="button" disabled={!ready} onClick={() => send("PUT", "hold", texts.placed)}>
          {texts.hold}
        </button>
        {sure
          ? (
            <>
              <button
                type="button"
                className="button button-danger"
                disabled={!ready}
                onClick={() => send("POST", "erasure", texts.erasing)}
              >
                {texts.eraseNow}
              </button>
              <button type="button" className="link" onClick={() => setSure(false)}>{texts.keep}</button>
            </>
          )
          : (
            <button type="button" className="button" disabled={!ready} onClick={() => setSure(true)}>
              {texts.erase}
            </button>
          )}
      </div>
      {sure && <p className="bad" role="alert">{texts.sure}</p>}
    </section>
  );
}

const isForbidden = (error: unknown): boolean => error instanceof HTTPProblem && error.code === "forbidden";

function Holds({ known, reload }: PartProps): ReactElement {
  const ask = useAsk();
  const toast = useToast();
  const { agent } = useNames();
  const lift = (conversation: string): void => {
    ask("DELETE", `/v1/conversations/${conversation}/hold`, {}).then(
      () => (toast(texts.lifted), reload()),
      () => toast(texts.failed, true),
    );
  };
  return (
    <section className="retention">
      <h3>{texts.holds}</h3>
      {known.holds.length === 0 ? <p className="a-empty">{texts.noHolds}</p> : (
        <ul className="revisions">
          {known.holds.map((hold) => (
            <li key={hold.conversation} className="revision">
              <span className="revision-what">
                {hold.who !== undefined && <strong dir="auto">{texts.heldOf({ who: hold.who })}</strong>}
                <span dir="auto">{hold.reason}</span>
                <time>{texts.heldBy({ who: actorName(agent(hold.by)), when: dateTimeText(hold.at) })}</time>
              </span>
              <span className="revision-do">
                <a className="link" href={`#/all/${hold.conversation}`}>{texts.open}</a>
                <button type="button" className="button" onClick={() => lift(hold.conversation)}>{texts.lift}</button>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Receipts({ known }: { readonly known: Retention }): ReactElement {
  return (
    <section className="retention">
      <h3>{texts.receipts}</h3>
      <p className="a-hint">{texts.receiptsHint}</p>
      {known.receipts.length === 0 ? <p className="a-empty">{texts.noReceipts}</p> : (
        <ul className="revisions">
          {known.receipts.map((one) => (
            <li key={one.run} className="revision">
              <span className="revision-what">
                <span>
                  {(one.kind === "erasure" ? texts.erased : texts.purged)({
                    conversations: one.conversations,
                    recordings: one.recordings,
                  })}
                </span>
                <time>{dateTimeText(one.completed)}</time>
              </span>
              <details className="retention-signed">
                <summary>{texts.signed}</summary>
                <code dir="ltr">{one.signed}</code>
                <code dir="ltr">{one.signature}</code>
              </details>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
