// Everything that is on the page already stays one part: see lazy-part.tsx.
import "../../app/app";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { type SecondFactor, secondFactor } from "../../../client/agent/second-factor/second-factor";
import { request } from "../../app/agent-session";
import { useWorkspace } from "../../app/session-context";
import { signInTexts } from "../../i18n/sign-in-texts";
import { Dialog } from "../../ui/dialog";
import { Icon } from "../../ui/icons";
import { SetUp } from "./set-up";
import { TurnOffForm } from "./turn-off-form";

const text = signInTexts.secondFactor;

/** One's own second factor: its state, its set-up, and how to turn it off. */
export default function SecondFactorDialog({ close }: { close: () => void }): ReactElement {
  const { csrf } = useWorkspace();
  const [state, setState] = useState<SecondFactor | "failed" | undefined>();
  const [doing, setDoing] = useState<"setUp" | "turnOff" | undefined>();
  const load = useCallback(() => {
    setDoing(undefined);
    setState(undefined);
    void secondFactor(request).then((answer) => setState(answer.ok ? answer.value : "failed"));
  }, []);
  useEffect(load, [load]);
  return (
    <Dialog label={text.title} className="second-factor" close={close}>
      <header className="bar">
        <h2>{text.title}</h2>
        <button type="button" className="icon-button" aria-label={text.close} onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      {state === undefined && <p className="hint" role="status">{text.loading}</p>}
      {state === "failed" && (
        <p className="form-error" role="alert">
          {text.failed} <button type="button" className="link" onClick={load}>{text.again}</button>
        </p>
      )}
      {doing === "setUp" && <SetUp csrf={csrf} done={load} />}
      {doing === "turnOff" && <TurnOffForm csrf={csrf} done={load} cancel={() => setDoing(undefined)} />}
      {typeof state === "object" && doing === undefined && (
        <Standing
          state={state}
          setUp={() => setDoing("setUp")}
          turnOff={() => setDoing("turnOff")}
        />
      )}
    </Dialog>
  );
}

interface StandingProps {
  readonly state: SecondFactor;
  readonly setUp: () => void;
  readonly turnOff: () => void;
}

function Standing({ state, setUp, turnOff }: StandingProps): ReactElement {
  if (!state.on) {
    return (
      <div className="form">
        <p><span className="chip">{text.off}</span></p>
        <p>{text.lead}</p>
        <button type="button" className="button button-main" data-focus onClick={setUp}>{text.start}</button>
      </div>
    );
  }
  return (
    <div className="form">
      <p><span className="chip">{text.on}</span></p>
      <p>{text.onLead} {text.codesLeft({ count: state.recoveryCodes })}</p>
      {state.required && <p className="hint">{text.required}</p>}
      <button type="button" className="button" onClick={turnOff}>{text.turnOff}</button>
    </div>
  );
}
