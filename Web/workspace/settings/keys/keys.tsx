import { type ReactElement, useCallback, useEffect, useState } from "react";
import { list } from "../../../client/core/parse";
import { useToast } from "../../app/page-context";
import { systemClock } from "../../../client/core/browser";
import { settingsTexts } from "../../i18n/settings-texts";
import { dayText } from "../../ui/format";
import { useAsk, useNames } from "../settings-context";
import { actorName } from "../account/actor-name";
import { type ApiKey, keyOf } from "./api-key";
import { KeyForm } from "./key-form";

const text = settingsTexts.keys;

/** The API keys of the brand: what programs read with. */
export function ApiKeys(): ReactElement {
  const { keys, failed, reload } = useKeys();
  const [making, setMaking] = useState(false);
  if (keys === undefined) {
    return <p className={failed ? "bad" : "a-hint"}>{failed ? text.failed : settingsTexts.loading}</p>;
  }
  return (
    <>
      <div className="people-head">
        <button type="button" className="button" onClick={() => setMaking(true)}>{text.open}</button>
      </div>
      {failed && <p className="bad" role="alert">{text.failed}</p>}
      {keys.length === 0 ? <p className="a-empty">{text.empty}</p> : <KeyTable keys={keys} reload={reload} />}
      {making && <KeyForm close={() => setMaking(false)} made={reload} />}
    </>
  );
}

/** The API keys of the brand, and how to load them again. */
export function useKeys(): { keys: readonly ApiKey[] | undefined; failed: boolean; reload: () => void } {
  const ask = useAsk();
  const [keys, setKeys] = useState<readonly ApiKey[] | undefined>();
  const [failed, setFailed] = useState(false);
  const reload = useCallback((): void => {
    ask("GET", "/v1/keys").then((json) => {
      setKeys(list(json["keys"], keyOf));
      setFailed(false);
    }, () => setFailed(true));
  }, [ask]);
  useEffect(reload, [reload]);
  return { keys, failed, reload };
}

function KeyTable({ keys, reload }: { keys: readonly ApiKey[]; reload: () => void }): ReactElement {
  return (
    <div className="table-frame" role="region" aria-label={settingsTexts.sections["keys"]?.[0]} tabIndex={0}>
      <table className="api-keys">
        <thead>
          <tr>
            {[text.name, text.scopes, text.made, text.expires, text.used].map((name) => (
              <th key={name} scope="col">{name}</th>
            ))}
            <th scope="col">
              <span className="aloud">{text.revoke}</span>
            </th>
          </tr>
        </thead>
        <tbody>{keys.map((key) => <KeyRow key={key.id} of={key} reload={reload} />)}</tbody>
      </table>
    </div>
  );
}

function KeyRow({ of, reload }: { of: ApiKey; reload: () => void }): ReactElement {
  const { agent } = useNames();
  const now = systemClock.now();
  return (
    <tr>
      <th scope="row" dir="auto">{of.name}</th>
      <td>
        <ul className="api-key-scopes">
          {of.scopes.map((scope) => <li key={scope}>{text.scope[scope]?.[0] ?? scope}</li>)}
        </ul>
      </td>
      <td dir="auto">{text.madeBy({ who: actorName(agent(of.by)), when: dayText(of.made, now) })}</td>
      <td className={of.expires <= now ? "bad" : undefined}>
        {of.expires <= now ? text.ended : dayText(of.expires, now)}
      </td>
      <td>{of.used === undefined ? text.never : dayText(of.used, now)}</td>
      <td>
        <Revoke of={of} reload={reload} />
      </td>
    </tr>
  );
}

/** Asks before it revokes: programs with the key stop at once. */
export function Revoke({ of, reload }: { of: ApiKey; reload: () => void }): ReactElement {
  const ask = useAsk();
  const toast = useToast();
  const [sure, setSure] = useState(false);
  const revoke = (): void => {
    setSure(false);
    ask("DELETE", `/v1/keys/${encodeURIComponent(of.id)}`, {}).then(
      () => (toast(text.revoked({ name: of.name })), reload()),
      () => (toast(text.notRevoked, true), reload()),
    );
  };
  if (!sure) {
    return (
      <button
        type="button"
        className="button"
        aria-label={text.revokeOne({ name: of.name })}
        onClick={() => setSure(true)}
      >
        {text.revoke}
      </button>
    );
  }
  return (
    <div className="api-key-sure" role="group" aria-label={text.revokeOne({ name: of.name })}>
      <button type="button" className="button button-danger" autoFocus onClick={revoke}>{text.revokeNow}</button>
      <button type="button" className="link" onClick={() => setSure(false)}>{text.keep}</button>
    </div>
  );
}
