import type { ReactElement } from "react";
import { Radios, SelectField, TextField, Toggle } from "../fields";
import { DurationField, NumberField } from "../number-fields";
import { Items } from "../items";
import { newSkill, put, type Skill, slug } from "../settings-model";
import { problemCount, useReadOnlyPeople, useSection, useSettings, useSkills } from "../settings-context";
import { staffProblem } from "../people/routed";
import { timeSpanText } from "../time-span";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.skills;

export function Skills(): ReactElement {
  const { editor, state } = useSettings();
  const [skills, set] = useSection("skills");
  const readOnly = useReadOnlyPeople();
  const problems = editor.problems("skills");
  const used = useUsers();
  const make = (): Skill => newSkill(slug(text.new, skills.map(({ id }) => id)), "");
  return (
    <>
      <Items
        items={skills}
        set={set}
        id={({ id }) => id}
        title={({ name }) => name}
        bad={({ id }) => problemCount(problems, id)}
        sub={(skill) =>
          text.summary({ accept: text.accepts[skill.accept][0], usual: timeSpanText(skill.sla.usual || 0) })}
        badge={(skill) => {
          const wrong = staffProblem(skill.id, state.people, state.centre?.people ?? [], readOnly);
          return (
            <>
              {wrong !== undefined && <span className="a-badge a-badge-warn">{text.staff[wrong]}</span>}
              {skill.default && <span className="a-badge">{text.isDefault}</span>}
            </>
          );
        }}
        keeps={(skill) => (skill.default ? text.lastSkill : used(skill.id))}
        add={{ label: text.add, make }}
      >
        {(skill, change) => (
          <SkillForm
            skill={skill}
            change={change}
            makeDefault={() => set(skills.map((one) => ({ ...one, default: one.id === skill.id })))}
          />
        )}
      </Items>
    </>
  );
}

/** Explains what still uses a skill: it can be removed once nothing does. */
function useUsers(): (skill: string) => string | undefined {
  const { state } = useSettings();
  const { centre, people } = state;
  const { skills, rules, people: seats, automatic, canned, wrapUp } = {
    skills: [],
    rules: [],
    people: [],
    automatic: [],
    canned: [],
    wrapUp: undefined,
    ...centre,
  };
  return (skill) => {
    const named = <T extends { readonly skill?: string }>(
      list: readonly T[] | undefined,
      name: (item: T) => string,
    ): readonly string[] => (list ?? []).filter((item) => item.skill === skill).map(name);
    const users = [
      ...skills.filter(({ fallback }) => fallback === skill).map(({ name }) => name),
      ...named(rules, ({ name }) => name),
      ...seats.filter((seat) => seat.skills.includes(skill)).map(({ agent }) =>
        people.find(({ id }) => id === agent)?.name ?? agent
      ),
      ...named(automatic, ({ on }) => settingsTexts.automatic.occasions[on][0]),
      ...named(canned, ({ title }) => title),
      ...named(wrapUp?.dispositions, ({ name }) => name),
    ];
    return users.length === 0 ? undefined : text.inUse({ by: [...new Set(users)].slice(0, 6).join(", ") });
  };
}

function SkillForm(
  { skill, change, makeDefault }: { skill: Skill; change: (skill: Skill) => void; makeDefault: () => void },
): ReactElement {
  const [hours] = useSection("hours");
  const at = (field: string): string => `${skill.id}.${field}`;
  return (
    <div className="a-form">
      <div className="grid">
        <TextField label={text.name} at={at("name")} value={skill.name} set={(name) => change({ ...skill, name })} />
        <SelectField
          label={text.hours}
          at={at("hours")}
          value={skill.hours ?? ""}
          set={(id) => change(put(skill, "hours", id || undefined))}
          options={[["", text.always], ...hours.map(({ id, name }) => [id, name] as const)]}
        />
      </div>
      <div className="default-row">
        {skill.default
          ? (
            <p className="a-hint">
              <strong>{text.default}.</strong> {text.defaultHint}
            </p>
          )
          : <button type="button" className="button" onClick={makeDefault}>{text.makeDefault}</button>}
      </div>
      <ResponseTimes skill={skill} change={change} />
      <Radios
        label={text.accept}
        value={skill.accept}
        set={(accept) => change({ ...skill, accept })}
        options={(["auto", "offer", "offerToAll"] as const).map((one) => [one, ...text.accepts[one]] as const)}
      />
      <QueueSettings skill={skill} change={change} />
      <Toggle label={text.survey} value={skill.survey} set={(survey) => change({ ...skill, survey })} />
    </div>
  );
}

interface SkillProps {
  readonly skill: Skill;
  readonly change: (skill: Skill) => void;
}

function ResponseTimes({ skill, change }: SkillProps): ReactElement {
  const at = (field: string): string => `${skill.id}.${field}`;
  const sla = (which: keyof Skill["sla"]) => (value: number | undefined): void =>
    change({ ...skill, sla: { ...skill.sla, [which]: value ?? NaN } });
  return (
    <fieldset>
      <legend>{text.times}</legend>
      <div className="grid grid-3">
        <DurationField label={text.usual} at={at("sla.usual")} value={skill.sla.usual} set={sla("usual")} />
        <DurationField label={text.urgent} at={at("sla.urgent")} value={skill.sla.urgent} set={sla("urgent")} />
        <DurationField label={text.first} at={at("sla.first")} value={skill.sla.first} set={sla("first")} />
      </div>
      <p className="a-hint">{text.timesHint}</p>
    </fieldset>
  );
}

/** When offers expire, where conversations go without agents, and how the skill's queue is ordered. */
function QueueSettings({ skill, change }: SkillProps): ReactElement {
  const skills = useSkills();
  const at = (field: string): string => `${skill.id}.${field}`;
  return (
    <div className="grid">
      {skill.accept !== "auto" && (
        <DurationField
          label={text.offerSeconds}
          at={at("offerSeconds")}
          value={skill.offerSeconds}
          set={(v) => change({ ...skill, offerSeconds: v ?? NaN })}
        />
      )}
      <SelectField
        label={text.fallback}
        at={at("fallback")}
        value={skill.fallback ?? ""}
        set={(id) => change(put(skill, "fallback", id || undefined))}
        options={[["", text.nowhere], ...skills.filter(([id]) => id !== skill.id)]}
      />
      <DurationField
        label={text.autoClose}
        at={at("autoCloseSeconds")}
        hint={text.autoCloseHint}
        value={skill.autoCloseSeconds}
        orNever={86_400}
        set={(v) => change(put(skill, "autoCloseSeconds", v))}
      />
      <NumberField
        label={text.velocity}
        at={at("velocity")}
        hint={text.velocityHint}
        unit="%"
        value={skill.velocity}
        set={(velocity) => change({ ...skill, velocity })}
      />
      <SelectField
        label={text.disposition}
        value={skill.disposition}
        set={(v) => change({ ...skill, disposition: v as Skill["disposition"] })}
        options={(["off", "optional", "required"] as const).map((one) => [one, text.dispositions[one]] as const)}
      />
    </div>
  );
}
