import { type ReactElement, useEffect, useRef, useState } from "react";
import { settingsTexts } from "../i18n/settings-texts";
import { type Base, Field } from "./fields";
import { parsedTime, timeOf } from "./routing/opening-hours";

/** A field for a number. Text that is not a number stays in the field and is reported as a problem. */
export function NumberField({ value, set, unit, ...frame }: Base<number> & { unit?: string }): ReactElement {
  return (
    <Field {...frame}>
      {(of) => (
        <span className="with-unit">
          <NumberInput of={of} value={value} set={set} />
          {unit !== undefined && <span aria-hidden="true">{unit}</span>}
        </span>
      )}
    </Field>
  );
}

interface NumberInputProps {
  readonly of: object;
  readonly value: number;
  readonly set: (value: number) => void;
}

export function NumberInput({ of, value, set }: NumberInputProps): ReactElement {
  const [text, setText] = useState(plain(value));
  useEffect(
    () =>
      setText((
        shown,
      ) => (parsed(shown) === value || (Number.isNaN(value) && Number.isNaN(parsed(shown))) ? shown : plain(value))),
    [value],
  );
  return (
    <input
      {...of}
      className="input input-number"
      inputMode="decimal"
      value={text}
      autoComplete="off"
      onChange={(event) => {
        setText(event.target.value);
        set(parsed(event.target.value));
      }}
      onKeyDown={(event) => {
        const step = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
        if (step === 0 || Number.isNaN(value)) return;
        event.preventDefault();
        set(Math.max(0, Math.round((value + step) * 1000) / 1000));
      }}
    />
  );
}

const plain = (value: number): string => (Number.isFinite(value) ? String(value) : "");

const parsed = (text: string): number => (text.trim() === "" ? NaN : Number(text.replace(",", ".")));

const UNITS = [1, 60, 3600, 86_400] as const;

/** The largest unit in which a number of seconds is whole. */
export const unitOf = (seconds: number): number =>
  [...UNITS].reverse().find((unit) => seconds > 0 && seconds % unit === 0) ?? 1;

interface DurationProps extends Base<number | undefined> {
  /** Allows “never”; the value that replaces it when a unit is chosen. */
  readonly orNever?: number;
  readonly never?: string;
}

/** A field for a time span in seconds, shown in its largest whole unit. */
export function DurationField(
  { label, at, hint, value, set, orNever, never = settingsTexts.item.never }: DurationProps,
): ReactElement {
  const [unit, setUnit] = useState(unitOf(value ?? orNever ?? 60));
  const inUnit = value === undefined ? NaN : value / unit;
  useEffect(() => {
    if (value !== undefined && Number.isFinite(value) && (value / unit) % 0.5 !== 0) setUnit(unitOf(value));
  }, [value, unit]);
  return (
    <Field label={label} at={at} hint={hint}>
      {(of) => (
        <span className="with-unit">
          {value !== undefined && <NumberInput of={of} value={inUnit} set={(next) => set(Math.round(next * unit))} />}
          <select
            className="input"
            aria-label={`${label}: ${settingsTexts.item.unit}`}
            value={value === undefined ? "never" : unit}
            {...(value === undefined ? of : {})}
            onChange={(event) => {
              if (event.target.value === "never") return set(undefined);
              const next = Number(event.target.value);
              setUnit(next);
              set(value === undefined ? orNever : Math.round((Number.isFinite(inUnit) ? inUnit : 1) * next));
            }}
          >
            {orNever !== undefined && <option value="never">{never}</option>}
            {UNITS.map((one) => <option key={one} value={one}>{settingsTexts.item.units[one]}</option>)}
          </select>
        </span>
      )}
    </Field>
  );
}

interface TimeProps {
  readonly label: string;
  readonly value: number;
  readonly set: (minutes: number) => void;
}

/** A field for a time of day in any usual notation, parsed on blur or Enter. */
export function TimeInput({ label, value, set }: TimeProps): ReactElement {
  const [text, setText] = useState(timeOf(value));
  const written = useRef(value);
  useEffect(() => {
    written.current = value;
    setText(timeOf(value));
  }, [value]);
  const bad = parsedTime(text) === undefined;
  const take = (): void => {
    const minutes = parsedTime(text);
    if (minutes === undefined) return setText(timeOf(written.current));
    setText(timeOf(minutes));
    if (minutes !== written.current) set(minutes);
  };
  return (
    <input
      className="input input-time"
      aria-label={label}
      value={text}
      inputMode="numeric"
      aria-invalid={bad || undefined}
      title={bad ? settingsTexts.problem.time : undefined}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === "Enter" && take()}
    />
  );
}
