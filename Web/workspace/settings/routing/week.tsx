import { type KeyboardEvent, type PointerEvent, type ReactElement, useRef, useState } from "react";
import { useProblem } from "../fields";
import { TimeInput } from "../number-fields";
import { Plus } from "../items";
import type { Shift, Span } from "../settings-model";
import { timeOf } from "./opening-hours";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.hours;
const DAY = 1440;
/** Dragging and arrow keys move in quarters of an hour. */
const STEP = 15;

interface WeekProps {
  /** The id of the opening hours, to which problems refer. */
  readonly id: string;
  readonly week: readonly Shift[];
  readonly set: (day: number, spans: readonly Span[]) => void;
  readonly copy: (day: number) => void;
}

/** A week of opening periods that can be dragged and typed. */
export function Week({ id, week, set, copy }: WeekProps): ReactElement {
  return (
    <div className="week">
      <div className="week-scale" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => <span key={hour}>{hour}</span>)}
      </div>
      {text.days.map((name, i) => (
        <Day
          key={name}
          id={id}
          day={i + 1}
          name={name}
          spans={week.filter(({ day }) => day === i + 1)}
          set={(spans) => set(i + 1, spans)}
          copy={() => copy(i + 1)}
        />
      ))}
    </div>
  );
}

/** A day's short name, 1 for Monday, in the reader's language. */
function shortDay(day: number): string {
  return new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" }).format(Date.UTC(2024, 0, day));
}

interface DayProps {
  readonly id: string;
  readonly day: number;
  readonly name: string;
  readonly spans: readonly Span[];
  readonly set: (spans: readonly Span[]) => void;
  readonly copy: () => void;
}

function Day({ id, day, name, spans, set, copy }: DayProps): ReactElement {
  const wrong = useProblem(`${id}.week.day${day}`);
  const change = (i: number, span: Span): void => set(spans.map((one, k) => (k === i ? span : one)));
  const remove = (i: number): void => set(spans.filter((_, k) => k !== i));
  return (
    <div className="day-row" role="group" aria-label={name}>
      <span className="day-name">{name}</span>
      <Track name={name} spans={spans} set={set} change={change} remove={remove} />
      <div className="day-times">
        {spans.length === 0 && <span className="a-hint">{text.closed}</span>}
        {spans.map((span, i) => (
          <span key={i} className="with-unit">
            <TimeInput
              label={text.from({ day: name })}
              value={span.from}
              set={(from) => change(i, { ...span, from })}
            />–
            <TimeInput label={text.to({ day: name })} value={span.to} set={(to) => change(i, { ...span, to })} />
            <button
              type="button"
              className="a-chip-x"
              aria-label={text.remove({ day: name, from: timeOf(span.from) })}
              onClick={() => remove(i)}
            >
              ×
            </button>
          </span>
        ))}
        <span className="day-do">
          <button
            type="button"
            className="icon-button"
            aria-label={text.addSpan({ day: name })}
            title={text.addSpan({ day: name })}
            onClick={() => set([...spans, freeSpan(spans)])}
          >
            <Plus />
          </button>
          {day <= 5 && spans.length > 0 && (
            <button
              type="button"
              className="link"
              aria-label={text.copy({ day: name })}
              title={text.copy({ day: name })}
              onClick={copy}
            >
              {text.copyShort({ first: shortDay(1), last: shortDay(5) })}
            </button>
          )}
        </span>
      </div>
      {wrong !== undefined && <p className="bad" role="alert">{wrong}</p>}
    </div>
  );
}

/** A new period: nine to five, or after the last one. */
export function freeSpan(spans: readonly Span[]): Span {
  if (spans.length === 0) return { from: 540, to: 1020 };
  const end = Math.max(...spans.map(({ to }) => to));
  const from = Math.min(end + 60, DAY - 60);
  return { from, to: Math.min(from + 240, DAY) };
}

type Grip = "new" | "from" | "to" | "move";

interface Drag {
  readonly grip: Grip;
  readonly i: number;
  readonly at: number;
  readonly was: Span;
}

interface TrackProps {
  readonly name: string;
  readonly spans: readonly Span[];
  readonly set: (spans: readonly Span[]) => void;
  readonly change: (i: number, span: Span) => void;
  readonly remove: (i: number) => void;
}

function Track({ name, spans, set, change, remove }: TrackProps): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | undefined>();
  const minuteOf = (event: PointerEvent): number => {
    const { left, right, width } = box.current?.getBoundingClientRect() ?? new DOMRect();
    const along = getComputedStyle(box.current ?? document.body).direction === "rtl"
      ? right - event.clientX
      : event.clientX - left;
    return Math.max(0, Math.min(DAY, Math.round((along / width) * (DAY / STEP)) * STEP));
  };
  const down = (event: PointerEvent, grip: Grip, i: number): void => {
    if (event.button !== 0) return;
    event.stopPropagation();
    box.current?.setPointerCapture(event.pointerId);
    const at = minuteOf(event);
    if (grip === "new") set([...spans, { from: Math.min(at, DAY - STEP), to: Math.min(at, DAY - STEP) + STEP }]);
    setDrag({ grip, i, at, was: spans[i] ?? { from: at, to: at } });
  };
  const move = (event: PointerEvent): void => {
    if (drag !== undefined) change(drag.i, dragged(drag.grip, drag.was, drag.at, minuteOf(event)));
  };
  return (
    <div
      ref={box}
      className="track"
      onPointerDown={(event) => down(event, "new", spans.length)}
      onPointerMove={move}
      onPointerUp={() => setDrag(undefined)}
      onPointerCancel={() => setDrag(undefined)}
    >
      {spans.map((span, i) => (
        <button
          key={i}
          type="button"
          className="span"
          aria-label={text.span({ day: name, from: timeOf(span.from), to: timeOf(span.to) })}
          title={`${timeOf(span.from)}–${timeOf(span.to)}`}
          style={{
            insetInlineStart: `${(span.from / DAY) * 100}%`,
            inlineSize: `${(Math.max(0, span.to - span.from) / DAY) * 100}%`,
          }}
          onPointerDown={(event) => down(event, "move", i)}
          onKeyDown={(event) => keyed(event, span, (next) => change(i, next), () => remove(i))}
        >
          <i onPointerDown={(event) => down(event, "from", i)} />
          <i onPointerDown={(event) => down(event, "to", i)} />
        </button>
      ))}
    </div>
  );
}

/** The span after a drag from minute `at` to minute `to`. */
export function dragged(grip: Grip, was: Span, at: number, to: number): Span {
  switch (grip) {
    case "new":
      return to < at
        ? { from: to, to: at }
        : { from: Math.min(at, DAY - STEP), to: Math.max(to, Math.min(at, DAY - STEP) + STEP) };
    case "from":
      return { from: Math.min(to, was.to - STEP), to: was.to };
    case "to":
      return { from: was.from, to: Math.max(to, was.from + STEP) };
    case "move": {
      const by = Math.max(-was.from, Math.min(DAY - was.to, to - at));
      return { from: was.from + by, to: was.to + by };
    }
  }
}

function keyed(event: KeyboardEvent, span: Span, change: (span: Span) => void, remove: () => void): void {
  const by = event.key === "ArrowRight" || event.key === "ArrowUp"
    ? STEP
    : event.key === "ArrowLeft" || event.key === "ArrowDown"
    ? -STEP
    : 0;
  if (by !== 0) {
    change(event.shiftKey ? dragged("to", span, span.to, Math.min(DAY, span.to + by)) : dragged("move", span, 0, by));
  } else if (event.key === "Delete" || event.key === "Backspace") remove();
  else return;
  event.preventDefault();
}
