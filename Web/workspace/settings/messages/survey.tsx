import { type ReactElement } from "react";
import { MOUTHS } from "../../../voice/ui/rating-icons";
import { settingsTexts } from "../../i18n/settings-texts";
import { Field, Toggle } from "../fields";
import { DurationField } from "../number-fields";
import { useSection } from "../settings-context";

const ask = settingsTexts.survey;

export function Survey(): ReactElement {
  const [value, set] = useSection("survey");
  return (
    <div className="a-form">
      <Toggle label={ask.on} hint={ask.onHint} value={value.on} set={(on) => set({ ...value, on })} />
      <div className="grid">
        <Field label={ask.question} at="question">
          {(of) => (
            <input
              {...of}
              className="input"
              dir="auto"
              value={value.question}
              onChange={(event) => set({ ...value, question: event.target.value })}
            />
          )}
        </Field>
        <DurationField
          label={ask.openSeconds}
          at="openSeconds"
          value={value.openSeconds}
          set={(v) => set({ ...value, openSeconds: v ?? NaN })}
        />
      </div>
      <Toggle label={ask.csat} at="csat" value={value.csat} set={(csat) => set({ ...value, csat })} />
      <Toggle label={ask.nps} value={value.nps} set={(nps) => set({ ...value, nps })} />
      <Toggle label={ask.words} value={value.words} set={(words) => set({ ...value, words })} />
      <div className="a-preview" role="group" aria-label={ask.preview}>
        <p className="a-preview-title">{ask.preview}</p>
        {value.on
          ? (
            <div className="a-preview-card">
              <strong dir="auto">{value.question}</strong>
              {value.csat && (
                <span className="a-moods" aria-hidden="true">
                  {MOUTHS.map((mouth) => <Mood key={mouth} mouth={mouth} />)}
                </span>
              )}
              {value.nps && (
                <span className="a-nps" aria-hidden="true">
                  {Array.from({ length: 11 }, (_, score) => <i key={score}>{score}</i>)}
                </span>
              )}
              {value.words && <span className="a-preview-words" aria-hidden="true">…</span>}
            </div>
          )
          : <p className="a-hint">{ask.off}</p>}
      </div>
    </div>
  );
}

function Mood({ mouth }: { mouth: string }): ReactElement {
  return (
    <svg className="glyph" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="9" />
      <path d="M8.9 9.8h.01M15.1 9.8h.01" />
      <path d={mouth} />
    </svg>
  );
}
