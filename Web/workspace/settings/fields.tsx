import { createContext, type ReactElement, type ReactNode, useContext, useId, useState } from "react";
import { settingsTexts } from "../i18n/settings-texts";
import type { Problem } from "./validation";

const ProblemContext = createContext<readonly Problem[]>([]);

export const ProblemProvider = ProblemContext.Provider;

/** The problem of a field, or of something in it, if it has one. */
export function useProblem(at: string | undefined): string | undefined {
  const problems = useContext(ProblemContext);
  return at === undefined ? undefined : problems.find((one) => `${one.at}.`.startsWith(`${at}.`))?.text;
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

/** A field with its label, hint and problem. */
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

export interface Base<T> {
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

interface SelectProps extends Base<string> {
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** A select. A value that no longer exists stays visible. */
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

/** A list of short texts as chips with remove buttons; Enter adds one. */
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
