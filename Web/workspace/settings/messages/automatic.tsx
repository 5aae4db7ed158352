import type { ReactElement } from "react";
import { useWorkspace } from "../../app/session-context";
import { TemplateField } from "./template-field";
import { SelectField, TextField, Toggle } from "../fields";
import { DurationField } from "../number-fields";
import { Items } from "../items";
import { type Automatic as Message, type Occasion, OCCASIONS, PLACEHOLDERS, put, slug, TIMED } from "../settings-model";
import { automaticText, placeholders } from "./fill-template";
import { problemCount, useNames, useSection, useSettings, useSkills } from "../settings-context";
import { settingsTexts } from "../../i18n/settings-texts";

const text = settingsTexts.automatic;

/** The automatic messages, by occasion. */
export function Automatic(): ReactElement {
  const { editor } = useSettings();
  const [messages, set] = useSection("automatic");
  const names = useNames();
  const problems = editor.problems("automatic");
  const variant = ({ skill, language }: Message): string =>
    text.variant({
      skill: skill === undefined ? settingsTexts.item.everySkill : names.skill(skill),
      language: language ?? settingsTexts.item.everyLanguage,
    });
  const make = (on: Occasion) => (): Message => ({
    id: slug(on, messages.map(({ id }) => id)),
    on,
    enabled: true,
    text: text.suggestions[on] ?? "",
    ...(TIMED.includes(on) ? { afterSeconds: 600 } : {}),
  });
  return (
    <>
      {OCCASIONS.map((on) => {
        const mine = messages.filter((message) => message.on === on);
        const [title, when] = text.occasions[on];
        return (
          <section key={on} className="occasion" aria-label={title}>
            <h3>
              {title}
              <span className="a-hint">{when}</span>
            </h3>
            <Items
              items={mine}
              id={({ id }) => id}
              title={variant}
              bad={({ id }) => problemCount(problems, id)}
              sub={(message) => message.text}
              badge={(message) => !message.enabled && <span className="a-badge">{settingsTexts.item.off}</span>}
              set={(next) => set([...messages.filter((message) => message.on !== on), ...next])}
              add={{
                label: mine.length === 0 ? text.addShort : text.add({ occasion: title }),
                name: text.add({ occasion: title }),
                make: make(on),
              }}
            >
              {(message, change) => <MessageForm message={message} change={change} />}
            </Items>
          </section>
        );
      })}
    </>
  );
}

function MessageForm({ message, change }: { message: Message; change: (message: Message) => void }): ReactElement {
  const skills = useSkills(settingsTexts.item.everySkill);
  const at = (field: string): string => `${message.id}.${field}`;
  return (
    <div className="a-form">
      <Toggle label={text.enabled} value={message.enabled} set={(enabled) => change({ ...message, enabled })} />
      <div className="grid grid-3">
        <SelectField
          label={text.skill}
          at={at("skill")}
          value={message.skill ?? ""}
          options={skills}
          set={(skill) => change(put(message, "skill", skill || undefined))}
        />
        <TextField
          label={text.language}
          at={at("language")}
          hint={text.languageHint}
          value={message.language ?? ""}
          set={(tag) => change(put(message, "language", tag.trim() || undefined))}
        />
        {TIMED.includes(message.on) && (
          <DurationField
            label={text.after}
            at={at("afterSeconds")}
            value={message.afterSeconds}
            set={(v) => change(put(message, "afterSeconds", v))}
          />
        )}
      </div>
      <TemplateField
        label={text.text}
        at={at("text")}
        value={message.text}
        chips={PLACEHOLDERS}
        set={(said) => change({ ...message, text: said })}
      />
      {placeholders(message.text).length > 0 && (
        <TemplateField
          label={text.without}
          at={at("without")}
          hint={text.withoutHint}
          value={message.without ?? ""}
          chips={[]}
          set={(said) => change(put(message, "without", said || undefined))}
        />
      )}
      <Preview message={message} />
    </div>
  );
}

/** A preview of the message, with all values and with none. */
function Preview({ message }: { message: Message }): ReactElement {
  const { identity } = useWorkspace();
  const values = { ...settingsTexts.placeholders.samples, brand: identity.account.name };
  const full = automaticText(message.text, message.without, values);
  const bare = automaticText(message.text, message.without, { brand: identity.account.name });
  return (
    <div className="a-preview" role="group" aria-label={text.preview}>
      <p className="a-preview-title">{text.preview}</p>
      <p className="a-preview-label">{text.previewWith}</p>
      <p className="a-preview-bubble" dir="auto">{full === "" ? <em>{text.nothing}</em> : full}</p>
      {bare !== full && (
        <>
          <p className="a-preview-label">{text.previewWithout}</p>
          <p className="a-preview-bubble" dir="auto">{bare === "" ? <em>{text.nothing}</em> : bare}</p>
        </>
      )}
    </div>
  );
}
