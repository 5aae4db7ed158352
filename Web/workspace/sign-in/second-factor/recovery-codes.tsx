import { type ReactElement } from "react";
import { signInTexts } from "../../i18n/sign-in-texts";
import { CopyButton } from "./copy-button";

const text = signInTexts.secondFactor;

/** The recovery codes, which are shown once. */
export function RecoveryCodes({ codes, done }: { codes: readonly string[]; done: () => void }): ReactElement {
  const file = codes.join("\n") + "\n";
  return (
    <div className="form recovery-codes">
      <div>
        <h2>{text.codesTitle}</h2>
        <p className="hint">{text.codesLead}</p>
      </div>
      <ul aria-label={text.codesTitle}>
        {codes.map((code) => <li key={code}><code>{code}</code></li>)}
      </ul>
      <p className="recovery-actions">
        <CopyButton label={text.copyCodes} value={file} />
        <a className="button" download={text.file} href={`data:text/plain;charset=utf-8,${encodeURIComponent(file)}`}>
          {text.download}
        </a>
      </p>
      <button type="button" className="button button-main form-submit" onClick={done}>{text.saved}</button>
    </div>
  );
}
