import { type ReactElement } from "react";
import { signInTexts } from "../../i18n/sign-in-texts";

const text = signInTexts.code;

/** Says after a sign-in with a recovery code how many are left. */
export function RecoveryCodeUsed({ left, proceed }: { left: number; proceed: () => void }): ReactElement {
  return (
    <div className="form" role="status">
      <h2 className="recovery-used">{text.usedTitle}</h2>
      <p>{text.left({ count: left })} {text.renew}</p>
      <button type="button" className="button button-main form-submit" autoFocus onClick={proceed}>
        {text.proceed}
      </button>
    </div>
  );
}
