import { type FormEvent, type ReactElement, useState } from "react";
import { HTTPProblem } from "../../../client/core/api";
import { settingsTexts } from "../../i18n/settings-texts";
import { dateTimeText } from "../../ui/format";
import { Field } from "../fields";
import { useAsk } from "../settings-context";
import { parseReport, type Refusals, type TokenReport } from "./identity-provider";

const texts = settingsTexts.signInCheck;

/** Tells what a pasted ID token says, and whether it would sign a consumer in. It signs no one in. */
export function TokenCheck(): ReactElement {
  const ask = useAsk();
  const [token, setToken] = useState("");
  const [answer, setAnswer] = useState<TokenReport | string | undefined>();
  const check = (event: FormEvent): void => {
    event.preventDefault();
    ask("POST", "/v1/identity-provider/check", { idToken: token.trim() }).then(
      (json) => setAnswer(parseReport(json, texts.labels)),
      (error: unknown) => setAnswer(
        error instanceof HTTPProblem && error.code === "bad_request"
          ? texts.refusals["id_token_too_large"]
          : texts.failed,
      ),
    );
  };
  return (
    <form className="a-form sign-in-check" onSubmit={check}>
      <h3>{texts.title}</h3>
      <Field label={texts.token} hint={texts.tokenHint} wide>
        {(of) => (
          <textarea
            {...of}
            className="input code-input"
            dir="ltr"
            rows={4}
            spellCheck={false}
            autoComplete="off"
            value={token}
            onChange={(event) => (setToken(event.target.value), setAnswer(undefined))}
          />
        )}
      </Field>
      <div className="retention-do">
        <button type="submit" className="button" disabled={token.trim() === ""}>{texts.check}</button>
      </div>
      <div role="status">
        {typeof answer === "string"
          ? <p className="bad">{answer}</p>
          : answer !== undefined && <Report report={answer} />}
      </div>
    </form>
  );
}

function Report({ report }: { readonly report: TokenReport }): ReactElement {
  const { reason } = report;
  return (
    <div className="token-report" data-bad={reason !== undefined || undefined}>
      <p>
        <strong>{reason === undefined ? texts.accepted : texts.refused}</strong>{" "}
        {reason !== undefined && (
          <>
            {texts.refusals[reason] ?? reason} <code>{reason}</code>
          </>
        )}
      </p>
      <dl>
        {rowsOf(report).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** What the token says, and after a verified one what agents would see. What it does not say is left out. */
function rowsOf(report: TokenReport): readonly (readonly [string, string])[] {
  const { labels } = texts;
  const time = (at: number | undefined): string | undefined => at === undefined ? undefined : dateTimeText(at);
  const named = report.key ?? labels.noKey;
  const key = report.algorithm === undefined
    ? undefined
    : (report.keyKnown ? texts.keyKnown : texts.keyUnknown)({ key: named, algorithm: report.algorithm });
  const rows: readonly (readonly [string, string | undefined])[] = [
    [labels.issuer, report.issuer],
    [labels.audience, report.audiences.length === 0 ? undefined : report.audiences.join(", ")],
    [labels.subject, report.subject],
    [labels.issued, time(report.issued)],
    [labels.notBefore, time(report.notBefore)],
    [labels.expires, time(report.expires)],
    [labels.key, key],
    [labels.encrypted, report.encrypted ? labels.yes : undefined],
    ...report.claims,
  ];
  return rows.flatMap(([label, value]) => value === undefined ? [] : [[label, value] as const]);
}

interface ListProps {
  readonly refusals: readonly Refusals[];
  readonly reload: () => void;
}

/** The ID tokens that were refused since the server started, by reason. */
export function RefusalList({ refusals, reload }: ListProps): ReactElement {
  return (
    <section className="sign-in-check">
      <h3>{texts.refusalsTitle}</h3>
      {refusals.length === 0 ? <p className="a-empty">{texts.noRefusals}</p> : (
        <ul className="refusals">
          {refusals.map(({ reason, count, last }) => (
            <li key={reason}>
              <strong>{texts.count({ count })}</strong>
              <span>
                {texts.refusals[reason] ?? reason} <code>{reason}</code>
              </span>
              <time>{texts.last({ when: dateTimeText(last) })}</time>
            </li>
          ))}
        </ul>
      )}
      <p className="a-hint">
        {texts.refusalsHint} <button type="button" className="link" onClick={reload}>{texts.reload}</button>
      </p>
    </section>
  );
}
