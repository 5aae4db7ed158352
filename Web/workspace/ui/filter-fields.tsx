/** The fields of a filter: for searches and lists. */
import { type ReactElement } from "react";
import { dialogTexts } from "../i18n/dialog-texts";

export type Options = readonly (readonly [value: string, label: string])[];

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: Options;
  readonly choose: (value: string) => void;
}

/** One of several values, or any. */
export function Choice({ label, value, options, choose }: ChoiceProps): ReactElement {
  return (
    <label className="filter">
      <span>{label}</span>
      <select className="field input" value={value ?? ""} onChange={(event) => choose(event.target.value)}>
        <option value="">{dialogTexts.search.any}</option>
        {options.map(([id, name]) => <option key={id} value={id}>{name}</option>)}
      </select>
    </label>
  );
}

interface DateProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly choose: (at: number | undefined) => void;
}

/** A day; its value is the day's first moment here, in milliseconds. */
export function DateFilter({ label, value, choose }: DateProps): ReactElement {
  return (
    <label className="filter">
      <span>{label}</span>
      <input
        className="field input"
        type="date"
        value={value === undefined ? "" : isoDay(value)}
        onChange={({ target }) => choose(target.value === "" ? undefined : new Date(`${target.value}T00:00`).getTime())}
      />
    </label>
  );
}

function isoDay(at: number): string {
  const day = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
