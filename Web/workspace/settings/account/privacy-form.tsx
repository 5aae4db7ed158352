import { type ReactElement } from "react";
import { settingsTexts } from "../../i18n/settings-texts";
import { Toggle } from "../fields";
import { NumberField } from "../number-fields";
import { useSection } from "../settings-context";
import { RetentionForm } from "./retention-form";

const texts = settingsTexts.privacy;

/** What happens to private data: docs/protocol.md section 6. */
export function PrivacyForm(): ReactElement {
  const [value, set] = useSection("privacy");
  return (
    <div className="a-form">
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
      <RetentionForm />
    </div>
  );
}
