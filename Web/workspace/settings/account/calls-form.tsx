import type { ReactElement } from "react";
import { settingsTexts } from "../../i18n/settings-texts";
import { Toggle } from "../fields";
import { useSection } from "../settings-context";

const texts = settingsTexts.calls;

/** Which calls the brand allows: docs/protocol.md section 6. */
export function CallsForm(): ReactElement {
  const [value, set] = useSection("calls");
  const some = value.voice || value.video;
  return (
    <div className="a-form">
      <Toggle
        label={texts.voice}
        hint={texts.voiceHint}
        value={value.voice}
        set={(voice) => set({ ...value, voice })}
      />
      <Toggle label={texts.video} value={value.video} set={(video) => set({ ...value, video })} />
      <Toggle
        label={texts.requests}
        hint={texts.requestsHint}
        disabled={!some}
        value={value.requests}
        set={(requests) => set({ ...value, requests })}
      />
      <p className="a-hint">{texts.people}</p>
    </div>
  );
}
