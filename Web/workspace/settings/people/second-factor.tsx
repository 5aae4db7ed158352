import { type ReactElement, useEffect, useState } from "react";
import { HTTPProblem } from "../../../client/core/api";
import { useToast } from "../../app/page-context";
import { useWorkspace } from "../../app/session-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { Toggle } from "../fields";
import { useAsk, useSettings } from "../settings-context";
import type { Person } from "./person";

const text = settingsTexts.secondFactor;

/** Whether the brand requires a second factor of its people. */
export function SecondFactorRule(): ReactElement | null {
  const ask = useAsk();
  const toast = useToast();
  const [required, setRequired] = useState<boolean | undefined>();
  useEffect(() => {
    ask("GET", "/v1/second-factor/rule").then((rule) => setRequired(rule["required"] === true), () => {});
  }, [ask]);
  const set = async (next: boolean): Promise<void> => {
    try {
      await ask("PUT", "/v1/second-factor/rule", { required: next });
      setRequired(next);
      toast(next ? text.required : text.optional);
    } catch (error) {
      toast(refusal(error), true);
    }
  };
  if (required === undefined) return null;
  return (
    <div className="people-rule">
      <Toggle label={text.require} hint={text.requireHint} value={required} set={(on) => void set(on)} />
    </div>
  );
}

/** The second factor of a person, which a manager removes when the person lost it. */
export function PersonSecondFactor({ person }: { person: Person }): ReactElement {
  const { editor, state } = useSettings();
  const ask = useAsk();
  const toast = useToast();
  const me = useWorkspace().identity.agent.id === person.id;
  const [asks, setAsks] = useState(false);
  const { id, name, secondFactor } = state.people.find((one) => one.id === person.id) ?? person;
  const remove = async (): Promise<void> => {
    setAsks(false);
    try {
      await ask("DELETE", `/v1/agents/${encodeURIComponent(id)}/second-factor`);
      await editor.reloadPeople();
      toast(text.removed({ name }));
    } catch (error) {
      toast(refusal(error), true);
    }
  };
  const standing = secondFactor !== true ? text.off : me ? text.own : text.on({ name });
  return (
    <section className="person-link" aria-label={text.title}>
      <h3>{text.title}</h3>
      <p>{asks ? text.sure({ name }) : standing}</p>
      {secondFactor === true && !me && (
        <p className="person-link-actions">
          {asks && (
            <button type="button" className="button" autoFocus onClick={() => setAsks(false)}>{text.cancel}</button>
          )}
          <button type="button" className="button" onClick={() => asks ? void remove() : setAsks(true)}>
            {text.remove}
          </button>
        </p>
      )}
    </section>
  );
}

function refusal(error: unknown): string {
  return text.refused[error instanceof HTTPProblem ? error.code : "network"] ?? text.other;
}
