import { type ReactElement, useState } from "react";
import { HTTPProblem } from "../../../client/core/api";
import { isObject, list, string } from "../../../client/core/parse";
import { TextField } from "../fields";
import { conditionText } from "../describe-changes";
import { useAsk, useNames, useSettings } from "../settings-context";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.rules;

/** The only channel so far. */
const CHANNEL = "web";

interface Answer {
  readonly skill: string;
  readonly urgent: boolean;
  readonly rules: readonly {
    readonly id: string;
    readonly name: string;
    readonly fits: boolean;
    readonly failed: string | undefined;
  }[];
}

/** Tests which rule applies to a described conversation. */
export function RuleTester(): ReactElement {
  const ask = useAsk();
  const { state } = useSettings();
  const [page, setPage] = useState("");
  const [language, setLanguage] = useState("");
  const [app, setApp] = useState("");
  const [facts, setFacts] = useState("");
  const [answer, setAnswer] = useState<Answer | string | undefined>();
  const run = (): void => {
    const attributes = parsedFacts(facts);
    const body = Object.fromEntries(
      Object.entries({ page, language, channel: CHANNEL, app }).filter(([, value]) => value.trim() !== ""),
    );
    const facts_ = Object.keys(attributes).length > 0 ? { attributes } : {};
    const draft = state.drafts.rules === undefined ? {} : { rules: state.drafts.rules.value };
    ask("POST", "/v1/centre/try", { ...body, ...facts_, ...draft })
      .then((json) => setAnswer(parseAnswer(json)), (error: unknown) => setAnswer(refusal(error)));
  };
  return (
    <form
      className="bench"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <h3>{text.bench}</h3>
      <p className="a-hint">
        {text.benchHint} {state.drafts.skills !== undefined
          ? text.benchSkills
          : state.drafts.rules !== undefined && text.benchDraft}
      </p>
      <div className="grid">
        <TextField label={text.of.page} value={page} set={setPage} placeholder="https…/checkout" />
        <TextField label={text.of.language} value={language} set={setLanguage} placeholder="de" />
        <TextField label={text.of.app} value={app} set={setApp} />
      </div>
      <label className="bench-facts">
        {text.facts}
        <textarea
          className="input"
          rows={2}
          value={facts}
          onChange={(event) => setFacts(event.target.value)}
          placeholder="tier = gold"
        />
      </label>
      <button className="button">{text.run}</button>
      <div role="status">
        {typeof answer === "string"
          ? <p className="bad">{answer}</p>
          : answer !== undefined && <Result answer={answer} />}
      </div>
    </form>
  );
}

function refusal(error: unknown): string {
  if (!(error instanceof HTTPProblem) || error.status === 0) return settingsTexts.save.refused["network"] ?? "";
  return text.benchWrong({ reason: error.message });
}

function Result({ answer }: { answer: Answer }): ReactElement {
  const names = useNames();
  const { state } = useSettings();
  const winner = answer.rules.find(({ fits }) => fits);
  const skill = names.skill(answer.skill);
  return (
    <div className="bench-result">
      <p>
        <strong>{winner === undefined ? text.nobody({ skill }) : text.wins({ rule: winner.name, skill })}</strong>
        {answer.urgent && <span className="a-badge a-badge-warn">{text.urgentShort}</span>}
      </p>
      <ol>
        {answer.rules.map((rule) => {
          const off = state.centre?.rules.find(({ id }) => id === rule.id)?.on === false;
          const verdict = rule === winner ? text.winner : rule.fits ? text.fits : off ? text.offRule : text.not;
          return (
            <li key={rule.id} data-wins={rule === winner || undefined}>
              <span aria-hidden="true">{rule === winner ? "✓" : rule.fits ? "·" : "✕"}</span>{" "}
              <span dir="auto">{rule.name}</span>
              {": "}
              <em>{verdict}</em>
              {!off && rule !== winner && rule.failed !== undefined && (
                <span className="a-hint">{` (${rule.failed})`}</span>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** `tier = gold` on a line each. */
export function parsedFacts(lines: string): Record<string, string> {
  return Object.fromEntries(
    lines.split("\n").flatMap((line) => {
      const at = line.indexOf("=");
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
    }),
  );
}

export function parseAnswer(json: Readonly<Record<string, unknown>>): Answer {
  const rules = list(json["rules"], (v) => {
    if (!isObject(v)) return undefined;
    const failed = isObject(v["failed"]) ? conditionText(v["failed"]) : string(v["failed"]);
    return { id: string(v["id"]) ?? "", name: string(v["name"]) ?? "", fits: v["fits"] === true, failed };
  });
  return { skill: string(json["skill"]) ?? "", urgent: json["urgent"] === true, rules };
}
