import type { ReactElement } from "react";
import { Chips, Field } from "../fields";
import { DurationField, NumberInput } from "../number-fields";
import { CAPACITY, type Capacity, put, type Silence } from "../settings-model";
import { useSection } from "../settings-context";
import { timeSpanText } from "../time-span";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.capacity;
const number = (thousandths: number): string =>
  new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 }).format(thousandths / 1000);

/** The settings for workload. */
export function CapacityForm(): ReactElement {
  const [value, set] = useSection("capacity");
  const weight = (label: string, key: "active" | "idle" | "slack"): ReactElement => (
    <Field label={label} at={key}>
      {(of) => (
        <span className="with-unit">
          <NumberInput of={of} value={value[key] / 1000} set={(v) => set({ ...value, [key]: Math.round(v * 1000) })} />
          <span>{text.conversation}</span>
        </span>
      )}
    </Field>
  );
  const seconds = (
    label: string,
    key: "idleAfterSeconds" | "backlogPauseSeconds" | "callbackAtLeastSeconds" | "callbackLeadSeconds",
  ): ReactElement => (
    <DurationField
      label={label}
      at={key}
      value={value[key]}
      set={(v) => set({ ...value, [key]: v ?? NaN })}
    />
  );
  return (
    <div className="a-form">
      <WeightChart value={value} />
      <div className="grid grid-3">
        {weight(text.active, "active")}
        {weight(text.idle, "idle")}
        {seconds(text.idleAfterSeconds, "idleAfterSeconds")}
      </div>
      <div className="grid">
        {weight(text.slack, "slack")}
        <DurationField
          label={text.unplayed}
          at="unplayedSecondsPerSlot"
          hint={text.unplayedHint}
          value={value.unplayedSecondsPerSlot}
          orNever={300}
          set={(v) => set(put(value, "unplayedSecondsPerSlot", v))}
        />
        <DurationField
          label={text.backlog}
          at="backlogAfterSeconds"
          value={value.backlogAfterSeconds}
          orNever={7200}
          set={(v) => set(put(value, "backlogAfterSeconds", v))}
        />
        {value.backlogAfterSeconds !== undefined && seconds(text.backlogPauseSeconds, "backlogPauseSeconds")}
        {seconds(text.callbackAtLeastSeconds, "callbackAtLeastSeconds")}
        {seconds(text.callbackLeadSeconds, "callbackLeadSeconds")}
        <WarmUp value={value} set={set} />
      </div>
      <Example value={value} />
      <button type="button" className="button button-quiet" onClick={() => set({ ...value, ...CAPACITY })}>
        {text.backToDefaults}
      </button>
    </div>
  );
}

function WarmUp({ value, set }: { value: Capacity; set: (value: Capacity) => void }): ReactElement {
  return (
    <DurationField
      label={text.warmUp}
      at="warmUpSeconds"
      hint={text.warmUpHint}
      never={text.warmUpNever}
      value={value.warmUpSeconds}
      orNever={20}
      set={(v) => set(put(value, "warmUpSeconds", v))}
    />
  );
}

const [WIDTH, HEIGHT, LEFT, STEPS] = [520, 120, 34, 10];

/** A chart of how the weight falls after the agent's last reply. */
function WeightChart({ value: { active, idle, idleAfterSeconds } }: { value: Capacity }): ReactElement {
  const most = Math.max(active, idle, 1);
  const y = (weight: number): number => 10 + (1 - weight / most) * (HEIGHT - 34);
  const x = (share: number): number => LEFT + share * (WIDTH - LEFT - 10);
  // Waits, falls evenly in ten steps, rests.
  const [begin, end] = [0.18, 0.82];
  const points = [`${x(0)},${y(active)}`, `${x(begin)},${y(active)}`];
  for (let step = 1; step <= STEPS; step++) {
    const at = x(begin + ((end - begin) * step) / STEPS);
    points.push(
      `${at},${y(active - ((active - idle) * (step - 1)) / STEPS)}`,
      `${at},${y(active - ((active - idle) * step) / STEPS)}`,
    );
  }
  points.push(`${x(1)},${y(idle)}`);
  const told = text.pictureText({
    active: number(active),
    idle: number(idle),
    time: timeSpanText(idleAfterSeconds || 0),
  });
  return (
    <figure className="a-picture">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={told}>
        <path className="a-picture-area" d={`M${points.join("L")}L${x(1)},${y(0)}L${x(0)},${y(0)}Z`} />
        <polyline className="a-picture-line" points={points.join(" ")} />
        <line className="a-picture-axis" x1={LEFT} x2={WIDTH - 10} y1={y(0)} y2={y(0)} />
        <line className="a-picture-mark" x1={x(begin)} x2={x(begin)} y1={6} y2={y(0)} />
        <line className="a-picture-mark" x1={x(end)} x2={x(end)} y1={6} y2={y(0)} />
        <text x={LEFT - 6} y={y(active) + 4} textAnchor="end">{number(active)}</text>
        <text x={LEFT - 6} y={y(idle) + 4} textAnchor="end">{idle === active ? "" : number(idle)}</text>
        <text x={x(begin)} y={HEIGHT - 6} textAnchor="middle">0</text>
        <text x={x(end)} y={HEIGHT - 6} textAnchor="middle">{timeSpanText(idleAfterSeconds || 0)}</text>
      </svg>
      <figcaption>{told}</figcaption>
    </figure>
  );
}

function Example({ value: { active, idle, slack } }: { value: Capacity }): ReactElement {
  const load = 2 * active + idle;
  const most = 3000 + slack;
  const shown = { load: number(load), next: number(load + active), most: number(most) };
  return (
    <p className="example">
      <strong>{text.example}.</strong> {load + active <= most ? text.exampleFits(shown) : text.exampleFull(shown)}
    </p>
  );
}

const quiet = settingsTexts.silence;

export function SilenceForm(): ReactElement {
  const [value, set] = useSection("silence");
  const or: Readonly<Record<string, number>> = { onlineSeconds: 900, awaySeconds: 300, offlineSeconds: 60 };
  const never = (key: "onlineSeconds" | "awaySeconds" | "offlineSeconds"): ReactElement => (
    <DurationField
      label={quiet[key]}
      at={key}
      value={value[key]}
      orNever={or[key] ?? 60}
      set={(v) => set(put(value, key, v) as Silence)}
    />
  );
  return (
    <div className="a-form">
      <p className="a-hint">{quiet.lead}</p>
      <div className="grid grid-3">{never("onlineSeconds")}{never("awaySeconds")}{never("offlineSeconds")}</div>
      <div className="grid">
        <DurationField
          label={quiet.transferSeconds}
          at="transferSeconds"
          value={value.transferSeconds}
          set={(v) => set({ ...value, transferSeconds: v ?? NaN })}
        />
      </div>
      <fieldset>
        <legend>{quiet.reasons}</legend>
        <p className="a-hint">{quiet.reasonsHint}</p>
        <Chips
          label={quiet.reasons}
          add={quiet.addReason}
          at="awayReasons"
          values={value.awayReasons}
          set={(awayReasons) => set({ ...value, awayReasons })}
        />
      </fieldset>
    </div>
  );
}
