import { type ReactElement, useRef } from "react";
import { Field } from "../fields";
import { settingsTexts } from "../../i18n/settings-texts";

interface ComposedProps {
  readonly label: string;
  readonly at: string;
  readonly hint?: string;
  readonly value: string;
  /** The placeholders that can be inserted. */
  readonly chips: readonly string[];
  readonly set: (value: string) => void;
}

/** A text field with buttons that insert placeholders at the cursor. */
export function TemplateField({ label, at, hint, value, chips, set }: ComposedProps): ReactElement {
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (name: string): void => {
    const input = area.current;
    const [from, to] = input === null ? [value.length, value.length] : [input.selectionStart, input.selectionEnd];
    const chip = `{${name}}`;
    set(value.slice(0, from) + chip + value.slice(to));
    requestAnimationFrame(() => {
      input?.focus();
      input?.setSelectionRange(from + chip.length, from + chip.length);
    });
  };
  return (
    <div className="composed">
      <Field label={label} at={at} hint={hint} wide>
        {(of) => (
          <textarea
            {...of}
            ref={area}
            className="input"
            rows={3}
            dir="auto"
            value={value}
            onChange={(event) => set(event.target.value)}
          />
        )}
      </Field>
      {chips.length > 0 && (
        <div className="chips" role="group" aria-label={settingsTexts.automatic.chips}>
          {chips.map((name) => (
            <button
              key={name}
              type="button"
              className="a-chip a-chip-button"
              onClick={() => insert(name)}
            >
              {settingsTexts.placeholders.names[name] ?? name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
