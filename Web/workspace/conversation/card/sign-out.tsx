import { type ReactElement, useState } from "react";
import { signOutConsumer } from "../../../client/agent/access";
import { request } from "../../app/agent-session";
import { useToast } from "../../app/page-context";
import { useWorkspace } from "../../app/session-context";
import { dialogTexts } from "../../i18n/dialog-texts";
import { EffectsDialog } from "./effects-dialog";

const text = dialogTexts.consumerSignOut;

/** Signs the consumer of a conversation out everywhere, after a confirmation. */
export function SignOut({ c, who }: { c: string; who: string }): ReactElement {
  const { csrf } = useWorkspace();
  const [phase, setPhase] = useState<"asks" | "busy" | "failed" | undefined>();
  const toast = useToast();
  const signOut = (): void => {
    setPhase("busy");
    signOutConsumer(request, csrf(), c).then(
      () => (setPhase(undefined), toast(text.done({ who }))),
      () => setPhase("failed"),
    );
  };
  return (
    <>
      <button className="button" onClick={() => setPhase("asks")}>{text.open}</button>
      {phase !== undefined && (
        <EffectsDialog
          title={text.sure({ who })}
          effects={text.effects}
          confirm={text.confirm}
          busy={phase === "busy"}
          failed={phase === "failed"}
          close={() => setPhase(undefined)}
          act={signOut}
        />
      )}
    </>
  );
}
