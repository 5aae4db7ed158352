import { type ReactElement, useCallback, useEffect, useState } from "react";
import { HTTPProblem } from "../../../client/core/api";
import { useToast } from "../../app/page-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { Field, TextField, Toggle } from "../fields";
import { useAsk } from "../settings-context";
import { dateTimeText } from "../../ui/format";
import {
  claimLines, keyWarning, NO_PROVIDER, parseClaims, parseProvider, parseRefusals, type Provider, type ProviderDraft,
  type Refusals,
} from "./identity-provider";
import { RefusalList, TokenCheck } from "./sign-in-check";

const texts = settingsTexts.signIn;
const ADDRESS = "/v1/identity-provider";

/** The identity provider whose ID tokens sign consumers in. Saved by its own buttons. */
export function SignInForm(): ReactElement {
  const ask = useAsk();
  const [saved, setSaved] = useState<Provider | undefined | "loading" | "failed">("loading");
  const [refusals, setRefusals] = useState<readonly Refusals[]>([]);
  const load = useCallback(() => {
    ask("GET", ADDRESS).then((json) => {
      setRefusals(parseRefusals(json));
      setSaved(parseProvider(json));
    }, () => setSaved("failed"));
  }, [ask]);
  useEffect(load, [load]);
  if (saved === "loading") return <p className="a-hint">{settingsTexts.loading}</p>;
  if (saved === "failed") {
    return (
      <p className="bad" role="alert">
        {settingsTexts.failed} <button type="button" className="button" onClick={load}>{settingsTexts.again}</button>
      </p>
    );
  }
  return (
    <>
      <ProviderForm key={JSON.stringify(saved)} saved={saved} refusals={refusals} changed={setSaved} />
      {saved && <TokenCheck />}
      {saved && <RefusalList refusals={refusals} reload={load} />}
    </>
  );
}

interface FormProps {
  readonly saved: Provider | undefined;
  readonly refusals: readonly Refusals[];
  readonly changed: (provider: Provider | undefined) => void;
}

function ProviderForm({ saved, refusals, changed }: FormProps): ReactElement {
  const ask = useAsk();
  const toast = useToast();
  const [draft, setDraft] = useState<ProviderDraft>(saved ?? NO_PROVIDER);
  const [claims, setClaims] = useState(claimLines(draft.claims));
  const [problem, setProblem] = useState<string | undefined>();
  const set = (change: Partial<ProviderDraft>): void => setDraft({ ...draft, ...change });
  const save = (): void => {
    const { issuer, audience, keys, verifiesContacts } = draft;
    const shown = parseClaims(claims);
    const body = { issuer: issuer.trim(), audience: audience.trim(), keys, claims: shown, verifiesContacts };
    ask("PUT", ADDRESS, body).then((json) => {
      changed(parseProvider(json));
      toast(texts.saved);
    }, (error: unknown) => setProblem(refusal(error)));
  };
  const isWhole = [draft.issuer, draft.audience, draft.keys].every((text) => text.trim() !== "");
  return (
    <form className="a-form" onSubmit={(event) => (event.preventDefault(), save())}>
      {saved === undefined && <p className="a-hint">{texts.empty}</p>}
      <TextField label={texts.issuer} hint={texts.issuerHint} value={draft.issuer} set={(issuer) => set({ issuer })} />
      <TextField
        label={texts.audience}
        hint={texts.audienceHint}
        value={draft.audience}
        set={(audience) => set({ audience })}
      />
      <Lines label={texts.keys} hint={texts.keysHint} rows={8} value={draft.keys} set={(keys) => set({ keys })} />
      {saved && <Keys saved={saved} refusals={refusals} />}
      <Toggle
        label={texts.verifies}
        hint={texts.verifiesHint}
        value={draft.verifiesContacts}
        set={(verifiesContacts) => set({ verifiesContacts })}
      />
      <Lines label={texts.claims} hint={texts.claimsHint} rows={3} value={claims} set={setClaims} />
      {saved && (
        <details className="retention-signed">
          <summary>{texts.encryption}</summary>
          <p className="a-hint">{texts.encryptionHint}</p>
          <code dir="ltr">{saved.encryptionKey}</code>
        </details>
      )}
      {problem !== undefined && <p className="bad" role="alert">{problem}</p>}
      <div className="retention-do">
        <button type="submit" className="button button-main" disabled={!isWhole}>{texts.save}</button>
        {saved && <Remove removed={() => changed(undefined)} />}
      </div>
    </form>
  );
}

interface LinesProps {
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly value: string;
  readonly set: (value: string) => void;
}

function Lines({ label, hint, rows, value, set }: LinesProps): ReactElement {
  return (
    <Field label={label} hint={hint} wide>
      {(of) => (
        <textarea
          {...of}
          className="input code-input"
          dir="ltr"
          rows={rows}
          spellCheck={false}
          value={value}
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Field>
  );
}

interface KeysProps {
  readonly saved: Provider;
  readonly refusals: readonly Refusals[];
}

/** Which of the keys verify ID tokens, and why others do not. */
function Keys({ saved, refusals }: KeysProps): ReactElement {
  const warning = keyWarning(saved, refusals, Date.now());
  return (
    <ul className="provider-keys">
      {saved.usable.map(({ id, algorithm, used }, index) => (
        <li key={`${index} ${id}`}>
          {(id === "" ? texts.usableNoID : texts.usable)({ id, algorithm })}{" "}
          <span className="a-hint">
            {used === undefined ? texts.notUsed : texts.used({ when: dateTimeText(used) })}
          </span>
        </li>
      ))}
      {saved.keysSince !== undefined && (
        <li className="a-hint">{texts.keysSince({ when: dateTimeText(saved.keysSince) })}</li>
      )}
      {warning !== undefined && <li className="warned" role="note">{texts.keyWarnings[warning]}</li>}
      {saved.ignored.map(({ position, reason }) => (
        <li key={position} className="a-hint">
          {texts.ignored({ position: position + 1, reason: texts.reasons[reason] ?? reason })}
        </li>
      ))}
    </ul>
  );
}

function Remove({ removed }: { readonly removed: () => void }): ReactElement {
  const ask = useAsk();
  const toast = useToast();
  const [sure, setSure] = useState(false);
  if (!sure) return <button type="button" className="button" onClick={() => setSure(true)}>{texts.remove}</button>;
  const remove = (): void => {
    ask("DELETE", ADDRESS, {}).then(() => (removed(), toast(texts.removed)), () => toast(texts.notRemoved, true));
  };
  return (
    <>
      <button type="button" className="button button-danger" onClick={remove}>{texts.removeNow}</button>
      <button type="button" className="link" onClick={() => setSure(false)}>{texts.keep}</button>
    </>
  );
}

/** The text of a refusal. The server names the reason of refused keys at the end of its sentence. */
function refusal(error: unknown): string {
  if (!(error instanceof HTTPProblem)) return texts.notSaved;
  if (error.code === "out_of_range") return texts.tooLong;
  if (error.code !== "provider_keys_refused") return texts.notSaved;
  const reason = /: (\w+)\.$/u.exec(error.message)?.[1] ?? "";
  return texts.keysRefused({ reason: texts.reasons[reason] ?? reason });
}
