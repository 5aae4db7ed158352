import { type ReactElement } from "react";
import { may } from "../../../client/agent/permissions";
import { useWorkspace } from "../../app/session-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { Toggle } from "../fields";
import { NumberField } from "../number-fields";
import { useSection } from "../settings-context";
import { RetentionForm } from "./retention-form";

const texts = settingsTexts.privacy;

/** What happens to private data: docs/protocol.md section 6. Each part for who may change it. */
export function PrivacyForm(): ReactElement {
  const { identity } = useWorkspace();
  return (
    <div className="a-form">
      {may(identity, "settings.change") && <MessagesForm />}
      {may(identity, "retention.change") && <RetentionForm />}
    </div>
  );
}

function MessagesForm(): ReactElement {
  const [value, set] = useSection("privacy");
  return (
    <>
      <Toggle
        label={texts.cardNumbers}
        hint={texts.cardNumbersHint}
        value={value.cardNumbers === "masked"}
        set={(on) => set({ ...value, cardNumbers: on ? "masked" : "kept" })}
      />
      <NumberField
        label={texts.historyDays}
        hint={texts.historyDaysHint}
        unit={texts.days}
        at="history.days"
        value={value.history.days}
        set={(days) => set({ ...value, history: { ...value.history, days } })}
      />
      <Toggle
        label={texts.historyClosed}
        hint={texts.historyClosedHint}
        value={value.history.closed}
        set={(closed) => set({ ...value, history: { ...value.history, closed } })}
      />
    </>
  );
}
