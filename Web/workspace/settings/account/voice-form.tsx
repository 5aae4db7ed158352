import { type ReactElement } from "react";
import { settingsTexts } from "../../i18n/settings-texts";
import { Toggle } from "../fields";
import { DurationField, NumberField } from "../number-fields";
import { useSection } from "../settings-context";

export const voice = settingsTexts.voice;

/** The settings for voice messages: docs/protocol.md section 6. */
export function VoiceForm(): ReactElement {
  const [value, set] = useSection("voice");
  const some = value.enabled;
  return (
    <div className="a-form">
      <Toggle
        label={voice.enabled}
        hint={voice.enabledHint}
        value={value.enabled}
        set={(enabled) => set({ ...value, enabled })}
      />
      {(["consumers", "agents", "managers"] as const).map((who) => (
        <Toggle
          key={who}
          label={voice[who]}
          disabled={!some}
          value={value[who]}
          set={(on) => set({ ...value, [who]: on })}
        />
      ))}
      <fieldset disabled={!some}>
        <legend>{voice.channels}</legend>
        {Object.entries(value.channels).map(([channel, on]) => (
          <Toggle
            key={channel}
            label={voice.channelNames[channel] ?? channel}
            disabled={!some}
            value={on}
            set={(next) => set({ ...value, channels: { ...value.channels, [channel]: next } })}
          />
        ))}
      </fieldset>
      <div className="grid">
        <DurationField
          label={voice.maxSeconds}
          at="maxSeconds"
          value={value.maxSeconds}
          set={(v) => set({ ...value, maxSeconds: v ?? NaN })}
        />
        <NumberField
          label={voice.keep}
          at="keep"
          unit={voice.keepUnit}
          value={value.keep}
          set={(keep) => set({ ...value, keep })}
        />
      </div>
      <Toggle
        label={voice.originals}
        hint={voice.originalsHint}
        value={value.originals}
        set={(originals) => set({ ...value, originals })}
      />
    </div>
  );
}
