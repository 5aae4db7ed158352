import type { ReactElement } from "react";
import { RuleTester } from "./rule-tester";
import { SelectField, TextField, Toggle, useProblem } from "../fields";
import { Items, Plus } from "../items";
import { type Condition, type Rule, slug, TESTS } from "../settings-model";
import { problemCount, useNames, useSection, useSettings, useSkills } from "../settings-context";
import { conditionText } from "../describe-changes";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.rules;

export function Rules(): ReactElement {
  const { editor } = useSettings();
  const [rules, set] = useSection("rules");
  const [skills] = useSection("skills");
  const names = useNames();
  const problems = editor.problems("rules");
  const normal = skills.find((skill) => skill.default) ?? skills[0];
  const make = (): Rule => ({
    id: slug("rule", rules.map(({ id }) => id)),
    name: "",
    on: true,
    conditions: [{ of: "page", test: "contains", value: "" }],
    skill: normal?.id ?? "",
    urgent: false,
  });
  return (
    <>
      <Items
        items={rules}
        set={set}
        sorts
        id={({ id }) => id}
        title={({ name }) => name}
        bad={({ id }) => problemCount(problems, id)}
        empty={text.empty}
        sub={(rule) =>
          `${
            rule.conditions.map((one) => conditionText(one as unknown as Record<string, unknown>)).join(", ") || "–"
          } → ${names.skill(rule.skill)}`}
        badge={(rule) => (
          <>
            {rule.urgent && <span className="a-badge a-badge-warn">{text.urgentShort}</span>}
            {!rule.on && <span className="a-badge">{settingsTexts.item.off}</span>}
          </>
        )}
        add={{ label: text.add, make }}
      >
        {(rule, change) => <RuleForm rule={rule} change={change} />}
      </Items>
      {rules.length > 0 && <p className="otherwise">{text.otherwise({ name: normal?.name ?? "" })}</p>}
      <RuleTester />
    </>
  );
}

function RuleForm({ rule, change }: { rule: Rule; change: (rule: Rule) => void }): ReactElement {
  const skills = useSkills();
  const { conditions } = rule;
  const set = (next: readonly Condition[]): void => change({ ...rule, conditions: next });
  return (
    <div className="a-form">
      <div className="grid">
        <TextField
          label={text.name}
          at={`${rule.id}.name`}
          value={rule.name}
          set={(name) => change({ ...rule, name })}
        />
        <SelectField
          label={text.then}
          at={`${rule.id}.skill`}
          value={rule.skill}
          set={(skill) => change({ ...rule, skill })}
          options={skills}
        />
      </div>
      <fieldset>
        <legend>{`${text.when} ${text.all}`}</legend>
        {conditions.length === 0 && <p className="warned">{text.everything}</p>}
        {conditions.map((condition, i) => (
          <ConditionRow
            key={i}
            at={`${rule.id}.conditions.${i}`}
            condition={condition}
            change={(next) => set(conditions.map((one, k) => (k === i ? next : one)))}
            remove={() => set(conditions.filter((_, k) => k !== i))}
          />
        ))}
        <button
          type="button"
          className="button"
          onClick={() => set([...conditions, { of: "page", test: "contains", value: "" }])}
        >
          <Plus />
          {text.addCondition}
        </button>
      </fieldset>
      <Toggle label={text.on} value={rule.on} set={(on) => change({ ...rule, on })} />
      <Toggle label={text.urgent} value={rule.urgent} set={(urgent) => change({ ...rule, urgent })} />
    </div>
  );
}

interface ConditionProps {
  readonly at: string;
  readonly condition: Condition;
  readonly change: (condition: Condition) => void;
  readonly remove: () => void;
}

/** One condition of a rule. While there is only one channel, no new condition asks for it. */
function ConditionRow({ at, condition, change, remove }: ConditionProps): ReactElement {
  const wrong = useProblem(at);
  const fact = condition.of.startsWith("attribute.");
  return (
    <div className="condition">
      <select
        className="input"
        aria-label={text.what}
        value={fact ? "attribute" : condition.of}
        onChange={(event) =>
          change({ ...condition, of: event.target.value === "attribute" ? "attribute." : event.target.value })}
      >
        {Object.entries(text.of).filter(([of]) => of !== "channel" || condition.of === of).map(([of, label]) => (
          <option key={of} value={of}>{label}</option>
        ))}
      </select>
      {fact && (
        <input
          className="input"
          aria-label={text.fact}
          placeholder={text.fact}
          value={condition.of.slice("attribute.".length)}
          onChange={(event) => change({ ...condition, of: `attribute.${event.target.value.trim()}` })}
        />
      )}
      <select
        className="input"
        aria-label={text.test}
        value={condition.test}
        onChange={(event) => change({ ...condition, test: event.target.value as Condition["test"] })}
      >
        {TESTS.map((test) => <option key={test} value={test}>{text.tests[test]}</option>)}
      </select>
      {condition.test !== "exists" && (
        <input
          className="input"
          aria-label={text.value}
          placeholder={EXAMPLES[condition.of] ?? text.value}
          value={condition.value}
          dir="auto"
          aria-invalid={wrong === undefined ? undefined : true}
          onChange={(event) => change({ ...condition, value: event.target.value })}
        />
      )}
      <button type="button" className="a-chip-x" aria-label={text.removeCondition} onClick={remove}>×</button>
      {fact && <p className="a-hint">{text.factHint}</p>}
      {wrong !== undefined && <p className="bad" role="alert">{wrong}</p>}
    </div>
  );
}

const EXAMPLES: Readonly<Record<string, string>> = { page: "/checkout", language: "de", channel: "web", app: "shop" };
