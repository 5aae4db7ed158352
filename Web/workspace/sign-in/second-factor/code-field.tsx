import { type ReactElement, useId, useState } from "react";
import { signInTexts } from "../../i18n/sign-in-texts";

const text = signInTexts.code;

/** The field for a code of the authenticator app, and the way to a recovery code instead. */
export function CodeField({ switched }: { switched?: (recovery: boolean) => void }): ReactElement {
  const [recovery, setRecovery] = useState(false);
  const id = useId();
  const change = (): void => {
    setRecovery(!recovery);
    switched?.(!recovery);
  };
  return (
    <>
      <div className="form-field code-field">
        <label htmlFor={id}>{recovery ? text.recoveryLabel : text.label}</label>
        <input
          key={String(recovery)}
          id={id}
          name="code"
          type="text"
          inputMode={recovery ? "text" : "numeric"}
          autoComplete={recovery ? "off" : "one-time-code"}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={recovery ? 40 : 12}
          aria-describedby={`${id}h`}
          required
          autoFocus
          data-focus
        />
        <p className="hint" id={`${id}h`}>{recovery ? text.recoveryLead : text.lead}</p>
      </div>
      <p className="code-switch">
        <button type="button" className="link" onClick={change}>{recovery ? text.useApp : text.useRecovery}</button>
        {recovery && <span className="hint">{text.lost}</span>}
      </p>
    </>
  );
}
