import { type FormEvent, type ReactElement, useCallback, useEffect, useState } from "react";
import { beginSetUp, confirmSetUp, type SecondFactorSetUp } from "../../../client/agent/second-factor/second-factor";
import { request } from "../../app/agent-session";
import { signInTexts } from "../../i18n/sign-in-texts";
import { FormError } from "../form-fields";
import { CopyButton } from "./copy-button";
import { RecoveryCodes } from "./recovery-codes";

const text = signInTexts.secondFactor;

interface SetUpProps {
  readonly csrf: () => string;
  /** Called once the second factor is on and the person has saved the recovery codes. */
  readonly done: () => void;
}

/** Sets up a second factor: shows the secret, checks the first code, and shows the recovery codes. */
export function SetUp({ csrf, done }: SetUpProps): ReactElement {
  const [setUp, setSetUp] = useState<SecondFactorSetUp | undefined>();
  const [failed, setFailed] = useState(false);
  const [notice, setNotice] = useState("");
  const [codes, setCodes] = useState<readonly string[] | undefined>();
  const begin = useCallback(() => {
    setFailed(false);
    void beginSetUp(request, csrf()).then((answer) => answer.ok ? setSetUp(answer.value) : setFailed(true));
  }, [csrf]);
  useEffect(begin, [begin]);
  const expired = (): void => {
    setSetUp(undefined);
    setNotice(text.ended);
    begin();
  };
  if (codes !== undefined) return <RecoveryCodes codes={codes} done={done} />;
  if (failed) {
    return (
      <p className="form-error" role="alert">
        {text.failed} <button type="button" className="link" onClick={begin}>{text.again}</button>
      </p>
    );
  }
  if (setUp === undefined) return <p className="hint" role="status">{text.loading}</p>;
  return (
    <div className="form set-up">
      <Secret setUp={setUp} />
      <ConfirmForm setUp={setUp} csrf={csrf} notice={notice} confirmed={setCodes} expired={expired} />
    </div>
  );
}

/** The secret: as a QR code, as a link, and to type by hand. */
function Secret({ setUp: { secret, link, qr } }: { setUp: SecondFactorSetUp }): ReactElement {
  return (
    <>
      {qr !== undefined && (
        <>
          <div>
            <h2>{text.scan}</h2>
            <p className="hint">{text.scanHint}</p>
          </div>
          <svg className="qr" viewBox={`-4 -4 ${qr.size + 8} ${qr.size + 8}`} role="img" aria-label={text.qr}>
            <rect x="-4" y="-4" width={qr.size + 8} height={qr.size + 8} fill="#fff" />
            <path d={qr.path} fill="#000" shapeRendering="crispEdges" />
          </svg>
        </>
      )}
      <p><a className="link" href={link}>{text.open}</a></p>
      <div className="secret">
        <h2>{text.byHand}</h2>
        <code className="secret-key">{secret.replace(/(.{4})(?=.)/gu, "$1 ")}</code>
        <CopyButton label={text.copyKey} value={secret} />
      </div>
    </>
  );
}

interface ConfirmProps {
  readonly setUp: SecondFactorSetUp;
  readonly csrf: () => string;
  readonly notice: string;
  readonly confirmed: (codes: readonly string[]) => void;
  readonly expired: () => void;
}

function ConfirmForm({ setUp, csrf, notice, confirmed, expired }: ConfirmProps): ReactElement {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(notice);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError("");
    const code = String(new FormData(event.currentTarget).get("code") ?? "");
    const answer = await confirmSetUp(request, csrf(), setUp.setUp, code);
    setBusy(false);
    if (answer.ok) return confirmed(answer.value);
    if (answer.refusal.code === "bad_request") return expired();
    setError(answer.refusal.code === "second_factor_wrong" ? text.wrong : text.other);
  };
  return (
    <form className="set-up-confirm" onSubmit={(event) => void submit(event)} noValidate>
      <FormError error={error} />
      <label className="form-field code-field">
        <span className="label">{text.code}</span>
        <input
          name="code"
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          required
          data-focus
        />
      </label>
      <button className="button button-main form-submit" disabled={busy}>{busy ? text.loading : text.confirm}</button>
    </form>
  );
}
