import {
  createContext,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import type { Problem } from "./validation";
import { parsedTime, timeOf } from "./routing/opening-hours";
import { settingsTexts } from "../i18n/settings-texts";

const ProblemContext = createContext<readonly Problem[]>([]);
export const ProblemProvider = ProblemContext.Provider;

/** What is wrong with a field, if anything is. */
export function useProblem(at: string | undefined): string | undefined {
  return useContext(ProblemContext).find((problem) => problem.at === at)?.text;
}

interface FrameProps {
  readonly label: string;
  /** Which problem is this field's. */
  readonly at?: string | undefined;
  readonly hint?: string | undefined;
  readonly wide?: boolean;
  readonly children: (
    of: { id: string; "aria-invalid": true | undefined; "aria-describedby": string | undefined },
  ) => ReactNode;
}

/** A field with its label, its hint, and what is wrong with it beside it. */
export function Field({ label, at, hint, wide = false, children }: FrameProps): ReactElement {
  const id = useId();
  const problem = useProblem(at);
  const told = [hint === undefined ? "" : `${id}h`, problem === undefined ? "" : `${id}p`].filter(Boolean).join(" ");
  return (
    <div className={wide ? "a-field a-field-wide" : "a-field"} data-bad={problem !== undefined || undefined}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        "aria-invalid": problem === undefined ? undefined : true,
        "aria-describedby": told === "" ? undefined : told,
      })}
      {hint !== undefined && <p className="a-hint" id={`${id}h`}>{hint}</p>}
      {problem !== undefined && <p className="bad" id={`${id}p`} role="alert">{problem}</p>}
    </div>
  );
}

interface Base<T> {
  readonly label: string;
  readonly at?: string | undefined;
  readonly hint?: string | undefined;
  readonly value: T;
  readonly set: (value: T) => void;
}

export function TextField(
  { value, set, placeholder, list, ...frame }: Base<string> & { placeholder?: string; list?: string },
): ReactElement {
  return (
    <Field {...frame}>
      {(of) => (
        <input
          {...of}
          className="input"
          dir="auto"
          value={value}
          placeholder={placeholder}
          list={list}
          autoComplete="off"
          onChange={(event) => set(event.target.value)}
        />
      )}
    </Field>
  );
}

/** A number as one types it: what is no number yet is kept as it stands, and told. */
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

/** The largest unit in which so many seconds are a whole number. */
export const unitOf = (seconds: number): number =>
  [...UNITS].reverse().find((unit) => seconds > 0 && seconds % unit === 0) ?? 1;

interface DurationProps extends Base<number | undefined> {
  /** May be "never"; this many seconds are offered first. */
  readonly orNever?: number;
  readonly never?: string;
}

/** A time span in seconds, shown in the unit that suits it. */
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

interface SelectProps extends Base<string> {
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** A choice; what is chosen and does not exist any more stays visible, as what it was called. */
export function SelectField({ value, set, options, ...frame }: SelectProps): ReactElement {
  const known = options.some(([one]) => one === value);
  return (
    <Field {...frame}>
      {(of) => (
        <select {...of} className="input" value={value} onChange={(event) => set(event.target.value)}>
          {!known && <option value={value}>{value}</option>}
          {options.map(([one, label]) => <option key={one} value={one}>{label}</option>)}
        </select>
      )}
    </Field>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: boolean;
  readonly disabled?: boolean;
  readonly at?: string;
  readonly set: (value: boolean) => void;
}

export function Toggle({ label, hint, value, set, at, disabled = false }: ToggleProps): ReactElement {
  const id = useId();
  const problem = useProblem(at);
  return (
    <div className="toggle">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={value}
        disabled={disabled}
        onChange={(event) => set(event.target.checked)}
        aria-describedby={hint === undefined ? undefined : `${id}h`}
        aria-invalid={problem === undefined ? undefined : true}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && <p className="a-hint" id={`${id}h`}>{hint}</p>}
      {problem !== undefined && <p className="bad" role="alert">{problem}</p>}
    </div>
  );
}

interface RadiosProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, title: string, hint?: string])[];
  readonly set: (value: T) => void;
}

export function Radios<T extends string>({ label, value, options, set }: RadiosProps<T>): ReactElement {
  const name = useId();
  return (
    <fieldset className="radios">
      <legend>{label}</legend>
      {options.map(([one, title, hint]) => (
        <label key={one} className="radio">
          <input type="radio" name={name} checked={value === one} onChange={() => set(one)} />
          <span>
            <strong>{title}</strong>
            {hint !== undefined && <small>{hint}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface TimeProps {
  readonly label: string;
  readonly value: number;
  readonly set: (minutes: number) => void;
}

/** A time of day, typed as people type it. Taken when the field is left, or with Enter. */
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

/** Short words in a row, each of which can be taken away; Enter adds. */
export function Chips(
  { label, add, at, values, set }: {
    label: string;
    add: string;
    at?: string;
    values: readonly string[];
    set: (values: readonly string[]) => void;
  },
): ReactElement {
  const [text, setText] = useState("");
  const problem = useProblem(at);
  const id = useId();
  const take = (): void => {
    const word = text.trim();
    if (word !== "" && !values.includes(word)) set([...values, word]);
    setText("");
  };
  return (
    <div className="chips" role="group" aria-label={label}>
      {values.map((value) => (
        <span key={value} className="a-chip" dir="auto">
          {value}
          <button
            type="button"
            aria-label={`${settingsTexts.item.remove}: ${value}`}
            onClick={() => set(values.filter((one) => one !== value))}
          >
            ×
          </button>
        </span>
      ))}
      <input
        className="input a-chip-input"
        aria-label={add}
        placeholder={add}
        value={text}
        dir="auto"
        aria-describedby={problem === undefined ? undefined : id}
        onChange={(event) => setText(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            take();
          } else if (event.key === "Backspace" && text === "" && values.length > 0) set(values.slice(0, -1));
        }}
      />
      {problem !== undefined && <p className="bad" id={id} role="alert">{problem}</p>}
    </div>
  );
}
