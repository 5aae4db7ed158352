import { type ReactElement, useRef, useState } from "react";
import { momentText } from "../../../client/conversation/waiting";
import { useNow } from "../../ui/hooks";
import { Field, TextField, Toggle, useProblem } from "../fields";
import { TimeInput } from "../number-fields";
import { Items, Plus } from "../items";
import { type Holiday, type Hours as HoursValue, type Shift, slug, type Span } from "../settings-model";
import { dateOrder, opening } from "./opening-hours";
import { problemCount, useSection, useSettings } from "../settings-context";
import { weekText } from "../describe-changes";
import { Week } from "./week";
import { timeSpanText } from "../time-span";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.hours;
const WORKING: readonly Shift[] = [1, 2, 3, 4, 5].map((day) => ({ day, from: 540, to: 1020 }));

export function Hours(): ReactElement {
  const { editor } = useSettings();
  const [hours, set] = useSection("hours");
  const [skills] = useSection("skills");
  const problems = editor.problems("hours");
  const users = (id: string): string => skills.filter((skill) => skill.hours === id).map(({ name }) => name).join(", ");
  const make = (): HoursValue => ({
    id: slug("hours", hours.map(({ id }) => id)),
    name: "",
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    week: WORKING,
    holidays: [],
  });
  return (
    <Items
      items={hours}
      set={set}
      id={({ id }) => id}
      title={({ name }) => name}
      bad={({ id }) => problemCount(problems, id)}
      empty={text.empty}
      sub={({ week, zone }) => `${weekText(week)} · ${zone}`}
      badge={(one) => <State hours={one} />}
      keeps={({ id }) => (users(id) === "" ? undefined : text.inUse)}
      add={{ label: text.add, make }}
    >
      {(one, change) => <HoursForm hours={one} change={change} users={users(one.id)} />}
    </Items>
  );
}

/** A badge that tells whether it is open now. */
function State({ hours }: { hours: HoursValue }): ReactElement | null {
  const now = useNow();
  try {
    const { open } = opening(hours, now);
    return <span className={open ? "a-badge a-badge-good" : "a-badge"}>{open ? text.openThen : text.closed}</span>;
  } catch {
    return null;
  }
}

function HoursForm(
  { hours, change, users }: { hours: HoursValue; change: (hours: HoursValue) => void; users: string },
): ReactElement {
  const setDay = (day: number, spans: readonly Span[]): readonly Shift[] =>
    [
      ...hours.week.filter((shift) => shift.day !== day),
      ...spans.map((span) => ({ day, from: span.from, to: span.to })),
    ].sort((a, b) => a.day - b.day || a.from - b.from);
  const copy = (from: number): void => {
    const spans = hours.week.filter(({ day }) => day === from);
    change({
      ...hours,
      week: [1, 2, 3, 4, 5].flatMap((day) => spans.map((span) => ({ ...span, day }))).concat(
        hours.week.filter(({ day }) => day > 5),
      ),
    });
  };
  return (
    <div className="a-form">
      <div className="grid">
        <TextField
          label={text.name}
          at={`${hours.id}.name`}
          value={hours.name}
          set={(name) => change({ ...hours, name })}
        />
        <TextField
          label={text.zone}
          at={`${hours.id}.zone`}
          value={hours.zone}
          list="zones"
          set={(zone) => change({ ...hours, zone: zone.trim() })}
        />
      </div>
      <Zones />
      <Now hours={hours} />
      <fieldset>
        <legend>{text.week}</legend>
        <p className="a-hint">{text.weekHint}</p>
        <Week
          id={hours.id}
          week={hours.week}
          set={(day, spans) => change({ ...hours, week: setDay(day, spans) })}
          copy={copy}
        />
      </fieldset>
      <Holidays hours={hours} change={change} />
      <p className="a-hint">{users === "" ? text.unused : text.usedBy({ names: users })}</p>
    </div>
  );
}

/** Tells whether it is open and when that changes next. */
function Now({ hours }: { hours: HoursValue }): ReactElement | null {
  const now = useNow();
  try {
    const { open, next } = opening(hours, now);
    const time = new Intl.DateTimeFormat(undefined, {
      weekday: "long",
      timeStyle: undefined,
      hour: "numeric",
      minute: "2-digit",
      timeZone: hours.zone,
    }).format(now);
    const words = open ? text.until : text.at;
    const when = next === undefined ? undefined : momentText(next, now, words, { zone: hours.zone });
    const told = nowText(open, time, when, (next ?? now) - now);
    return <p className={open ? "now now-open" : "now"} role="status">{told}</p>;
  } catch {
    return null;
  }
}

function nowText(open: boolean, time: string, next: string | undefined, msUntil: number): string {
  if (open) return next === undefined ? text.openAlways({ time }) : text.openUntil({ time, until: next });
  if (next === undefined) return text.closedNever({ time });
  return text.closedUntil({ time, next, inTime: timeSpanText(Math.ceil(msUntil / 60_000) * 60) });
}

function Zones(): ReactElement {
  const zones = (Intl as { supportedValuesOf?: (what: string) => readonly string[] }).supportedValuesOf?.("timeZone") ??
    [];
  return <datalist id="zones">{zones.map((zone) => <option key={zone} value={zone} />)}</datalist>;
}

function Holidays({ hours, change }: { hours: HoursValue; change: (hours: HoursValue) => void }): ReactElement {
  const { holidays } = hours;
  const [order, edit] = useDateOrder(holidays);
  const set = (next: readonly Holiday[]): void => change({ ...hours, holidays: next });
  const add = (): void => {
    const last = holidays[order[order.length - 1] ?? -1]?.date ?? new Date().toISOString().slice(0, 10);
    const next = new Date(Date.parse(`${last}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
    set([...holidays, { date: next, name: "", open: [] }]);
  };
  return (
    <fieldset
      onFocus={() => edit(true)}
      onBlur={({ currentTarget, relatedTarget }) => edit(currentTarget.contains(relatedTarget))}
    >
      <legend>{text.holidays}</legend>
      {holidays.length === 0 && <p className="a-hint">{text.noHolidays}</p>}
      {order.map((i) => {
        const holiday = holidays[i];
        return holiday && (
          <HolidayRow
            key={i}
            id={hours.id}
            holiday={holiday}
            change={(next) => set(holidays.map((one, k) => (k === i ? next : one)))}
            remove={() => set(holidays.filter((_, k) => k !== i))}
          />
        );
      })}
      <button type="button" className="button" onClick={add}>
        <Plus />
        {text.addHoliday}
      </button>
    </fieldset>
  );
}

/** The places of the days in the order of their dates. While someone edits them, none moves away. */
function useDateOrder(holidays: readonly Holiday[]): [readonly number[], (isEdited: boolean) => void] {
  const [isEdited, edit] = useState(false);
  const order = useRef<readonly number[]>([]);
  if (!isEdited || order.current.length !== holidays.length) order.current = dateOrder(holidays);
  return [order.current, edit];
}

interface HolidayProps {
  readonly id: string;
  readonly holiday: Holiday;
  readonly change: (holiday: Holiday) => void;
  readonly remove: () => void;
}

function HolidayRow({ id, holiday, change, remove }: HolidayProps): ReactElement {
  const at = (field: string): string => `${id}.holidays.${holiday.date}.${field}`;
  const wrong = useProblem(at("open"));
  const span = holiday.open[0];
  return (
    <div className="holiday">
      <Field label={text.date} at={at("date")}>
        {(of) => (
          <input
            {...of}
            type="date"
            className="input"
            value={holiday.date}
            onChange={(event) => change({ ...holiday, date: event.target.value })}
          />
        )}
      </Field>
      <TextField label={text.what} at={at("name")} value={holiday.name} set={(name) => change({ ...holiday, name })} />
      <Toggle
        label={text.closedAllDay}
        value={span === undefined}
        set={(closed) => change({ ...holiday, open: closed ? [] : [{ from: 600, to: 840 }] })}
      />
      {span !== undefined && (
        <span className="with-unit">
          <TimeInput
            label={text.from({ day: holiday.date })}
            value={span.from}
            set={(from) => change({ ...holiday, open: [{ ...span, from }, ...holiday.open.slice(1)] })}
          />–
          <TimeInput
            label={text.to({ day: holiday.date })}
            value={span.to}
            set={(to) => change({ ...holiday, open: [{ ...span, to }, ...holiday.open.slice(1)] })}
          />
        </span>
      )}
      {wrong !== undefined && <p className="bad" role="alert">{wrong}</p>}
      <button
        type="button"
        className="link"
        aria-label={`${settingsTexts.item.remove}: ${holiday.name || holiday.date}`}
        onClick={remove}
      >
        {settingsTexts.item.remove}
      </button>
    </div>
  );
}
