import { type ReactElement, useEffect, useState } from "react";
import { number } from "../../../client/core/parse";
import { useToast } from "../../app/page-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { SelectField } from "../fields";
import { useAsk } from "../settings-context";

const text = settingsTexts.sessionRule;
/** The choices, in minutes. Another number is set by `earshot set brand`. */
const CHOICES = [15, 30, 60, 120, 240, 480, 720];

/** After what time without use the brand's people have to sign in again. */
export function SessionRule(): ReactElement | null {
  const ask = useAsk();
  const toast = useToast();
  const [minutes, setMinutes] = useState<number | undefined>();
  useEffect(() => {
    ask("GET", "/v1/sessions/rule").then((rule) => setMinutes(number(rule["idleMinutes"])), () => {});
  }, [ask]);
  const set = async (next: number): Promise<void> => {
    try {
      await ask("PUT", "/v1/sessions/rule", { idleMinutes: next });
      setMinutes(next);
      toast(text.changed({ time: timeText(next) }));
    } catch {
      toast(settingsTexts.secondFactor.other, true);
    }
  };
  if (minutes === undefined) return null;
  const choices = CHOICES.includes(minutes) ? CHOICES : [...CHOICES, minutes].sort((one, other) => one - other);
  return (
    <div className="people-rule">
      <SelectField
        label={text.label}
        hint={text.hint}
        value={String(minutes)}
        options={choices.map((one) => [String(one), timeText(one)] as const)}
        set={(next) => void set(Number(next))}
      />
    </div>
  );
}

function timeText(minutes: number): string {
  if (minutes === 60) return text.hour;
  return minutes % 60 === 0 ? text.hours({ hours: minutes / 60 }) : text.minutes({ minutes });
}
