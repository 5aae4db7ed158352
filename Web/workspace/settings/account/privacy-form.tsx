import { type ReactElement } from "react";
import { settingsTexts } from "../../i18n/settings-texts";
import { Toggle } from "../fields";
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
      <RetentionForm />
    </div>
  );
}
