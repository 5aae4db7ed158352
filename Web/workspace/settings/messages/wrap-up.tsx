import { type ReactElement } from "react";
import { settingsTexts } from "../../i18n/settings-texts";
import { Chips, useProblem } from "../fields";
import { Plus } from "../items";
import { useSection, useSkills } from "../settings-context";
import { put, slug, type WrapUp as WrapUpValue } from "../settings-model";

const wrap = settingsTexts.wrapUp;

export function WrapUp(): ReactElement {
  const [value, set] = useSection("wrapUp");
  return (
    <div className="a-form">
      <fieldset>
        <legend>{wrap.dispositions}</legend>
        <p className="a-hint">{wrap.dispositionsHint}</p>
        <Dispositions value={value} set={set} />
      </fieldset>
      <fieldset>
        <legend>{wrap.tags}</legend>
        <p className="a-hint">{wrap.tagsHint}</p>
        <Chips
          label={wrap.tags}
          add={wrap.addTag}
          at="tags"
          values={value.tags}
          set={(tags) => set({ ...value, tags })}
        />
      </fieldset>
      <fieldset>
        <legend>{wrap.attributes}</legend>
        <p className="a-hint">{wrap.attributesHint}</p>
        <Attributes value={value} set={set} />
      </fieldset>
    </div>
  );
}

interface WrapUpProps {
  readonly value: WrapUpValue;
  readonly set: (value: WrapUpValue) => void;
}

function Dispositions({ value, set }: WrapUpProps): ReactElement {
  const skills = useSkills(settingsTexts.item.everySkill);
  const list = value.dispositions;
  const change = (next: WrapUpValue["dispositions"]): void => set({ ...value, dispositions: next });
  return (
    <>
      {list.length === 0 && <p className="a-hint">{wrap.noDispositions}</p>}
      {list.map((one, i) => (
        <div key={one.id} className="row-form">
          <Name
            at={`dispositions.${one.id}.name`}
            value={one.name}
            set={(name) => change(list.map((other, k) => (k === i ? { ...other, name } : other)))}
          />
          <select
            className="input"
            aria-label={`${wrap.skill}: ${one.name}`}
            value={one.skill ?? ""}
            onChange={(event) =>
              change(list.map((other, k) => (k === i ? put(other, "skill", event.target.value || undefined) : other)))}
          >
            {skills.map(([id, name]) => <option key={id} value={id}>{name}</option>)}
          </select>
          <button
            type="button"
            className="a-chip-x"
            aria-label={`${settingsTexts.item.remove}: ${one.name}`}
            onClick={() => change(list.filter((_, k) => k !== i))}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        className="button"
        onClick={() => change([...list, { id: slug("d", list.map(({ id }) => id)), name: "" }])}
      >
        <Plus />
        {wrap.addDisposition}
      </button>
    </>
  );
}

function Attributes({ value, set }: WrapUpProps): ReactElement {
  const list = value.attributes;
  const change = (next: WrapUpValue["attributes"]): void => set({ ...value, attributes: next });
  return (
    <>
      {list.length === 0 && <p className="a-hint">{wrap.noAttributes}</p>}
      {list.map((one, i) => (
        <div key={one.id} className="row-form">
          <Name
            at={`attributes.${one.id}.name`}
            value={one.name}
            set={(name) => change(list.map((other, k) => (k === i ? { ...other, name } : other)))}
          />
          <select
            className="input"
            aria-label={`${wrap.type}: ${one.name}`}
            value={one.type}
            onChange={(event) =>
              change(
                list.map((other, k) => (k === i ? { ...other, type: event.target.value as typeof one.type } : other)),
              )}
          >
            {Object.entries(wrap.types).map(([type, label]) => <option key={type} value={type}>{label}</option>)}
          </select>
          <button
            type="button"
            className="a-chip-x"
            aria-label={`${settingsTexts.item.remove}: ${one.name}`}
            onClick={() => change(list.filter((_, k) => k !== i))}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        className="button"
        onClick={() => change([...list, { id: slug("fact", list.map(({ id }) => id)), name: "", type: "text" }])}
      >
        <Plus />
        {wrap.addAttribute}
      </button>
    </>
  );
}

function Name({ at, value, set }: { at: string; value: string; set: (value: string) => void }): ReactElement {
  const problem = useProblem(at);
  return (
    <span className="name-field">
      <input
        className="input"
        aria-label={wrap.name}
        placeholder={wrap.new}
        dir="auto"
        value={value}
        aria-invalid={problem === undefined ? undefined : true}
        onChange={(event) => set(event.target.value)}
      />
      {problem !== undefined && <span className="bad" role="alert">{problem}</span>}
    </span>
  );
}
