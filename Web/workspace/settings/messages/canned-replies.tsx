import { type ReactElement, useState } from "react";
import { MOUTHS } from "../../../voice/ui/rating-icons";
import { durationText } from "../../ui/format";
import { ClipField } from "./clip";
import { TemplateField } from "./template-field";
import { Chips, DurationField, Field, SelectField, TextField, Toggle, useProblem } from "../fields";
import { Items, Plus } from "../items";
import { type Canned as Reply, put, REPLY_PLACEHOLDERS, slug, type WrapUp as WrapUpValue } from "../settings-model";
import { problemCount, useNames, useSection, useSettings, useSkills } from "../settings-context";
import { settingsTexts } from "../../i18n/settings-texts";

const canned = settingsTexts.canned;

export function Canned(): ReactElement {
  const { editor } = useSettings();
  const [replies, set] = useSection("canned");
  const [find, setFind] = useState("");
  const names = useNames();
  const problems = editor.problems("canned");
  const make = (): Reply => {
    setFind("");
    return { id: slug("reply", replies.map(({ id }) => id)), shortcut: "", title: "", text: "" };
  };
  const wanted = find.trim().toLowerCase();
  const shown = replies.filter(({ shortcut, title, text }) =>
    [shortcut, title, text].some((one) => one.toLowerCase().includes(wanted))
  );
  // What the search hides stays where it is.
  const change = (next: readonly Reply[]): void => {
    const [kept, now] = [new Set(shown.map(({ id }) => id)), new Map(next.map((reply) => [reply.id, reply]))];
    const old = replies.flatMap((reply) => (kept.has(reply.id) ? now.get(reply.id) ?? [] : reply));
    set([...old, ...next.filter(({ id }) => !replies.some((reply) => reply.id === id))]);
  };
  return (
    <>
      {replies.length > 5 && (
        <input
          className="input find"
          type="search"
          aria-label={canned.search}
          placeholder={canned.search}
          value={find}
          onChange={(event) => setFind(event.target.value)}
        />
      )}
      <Items
        items={shown}
        set={change}
        id={({ id }) => id}
        title={({ title }) => title}
        bad={({ id }) => problemCount(problems, id)}
        empty={replies.length === 0 ? canned.empty : canned.nothing}
        sub={({ text }) => text}
        add={{ label: canned.add, make }}
        badge={({ shortcut, skill, language, clip }) => (
          <>
            {clip !== undefined && <span className="a-badge">{canned.clip({ length: durationText(clip.ms) })}</span>}
            {skill !== undefined && <span className="a-badge">{names.skill(skill)}</span>}
            {language !== undefined && <span className="a-badge">{language}</span>}
            <span className="a-badge a-badge-code">/{shortcut}</span>
          </>
        )}
      >
        {(reply, put_) => <ReplyForm reply={reply} change={put_} />}
      </Items>
    </>
  );
}

function ReplyForm({ reply, change }: { reply: Reply; change: (reply: Reply) => void }): ReactElement {
  const skills = useSkills(settingsTexts.item.everySkill);
  const at = (field: string): string => `${reply.id}.${field}`;
  return (
    <div className="a-form">
      <div className="grid grid-4">
        <TextField
          label={canned.title}
          at={at("title")}
          value={reply.title}
          set={(title) => change({ ...reply, title })}
        />
        <TextField
          label={canned.shortcut}
          at={at("shortcut")}
          hint={canned.shortcutHint}
          value={reply.shortcut}
          set={(shortcut) => change({ ...reply, shortcut: shortcut.replace(/^\//u, "") })}
        />
        <SelectField
          label={canned.skill}
          at={at("skill")}
          value={reply.skill ?? ""}
          options={skills}
          set={(skill) => change(put(reply, "skill", skill || undefined))}
        />
        <TextField
          label={canned.language}
          at={at("language")}
          value={reply.language ?? ""}
          set={(tag) => change(put(reply, "language", tag.trim() || undefined))}
        />
      </div>
      <TemplateField
        label={reply.clip === undefined ? canned.text : canned.textClip}
        at={at("text")}
        value={reply.text}
        chips={REPLY_PLACEHOLDERS}
        set={(text) => change({ ...reply, text })}
      />
      <ClipField reply={reply} change={change} />
    </div>
  );
}

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
            at={`${one.id}.name`}
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
            at={`a.${one.id}.name`}
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

const ask = settingsTexts.survey;

export function Survey(): ReactElement {
  const [value, set] = useSection("survey");
  return (
    <div className="a-form">
      <Toggle label={ask.on} hint={ask.onHint} value={value.on} set={(on) => set({ ...value, on })} />
      <div className="grid">
        <Field label={ask.question} at="question">
          {(of) => (
            <input
              {...of}
              className="input"
              dir="auto"
              value={value.question}
              onChange={(event) => set({ ...value, question: event.target.value })}
            />
          )}
        </Field>
        <DurationField
          label={ask.openSeconds}
          at="openSeconds"
          value={value.openSeconds}
          set={(v) => set({ ...value, openSeconds: v ?? NaN })}
        />
      </div>
      <Toggle label={ask.csat} at="csat" value={value.csat} set={(csat) => set({ ...value, csat })} />
      <Toggle label={ask.nps} value={value.nps} set={(nps) => set({ ...value, nps })} />
      <Toggle label={ask.words} value={value.words} set={(words) => set({ ...value, words })} />
      <div className="a-preview" role="group" aria-label={ask.preview}>
        <p className="a-preview-title">{ask.preview}</p>
        {value.on
          ? (
            <div className="a-preview-card">
              <strong dir="auto">{value.question}</strong>
              {value.csat && (
                <span className="a-moods" aria-hidden="true">
                  {MOUTHS.map((mouth) => <Mood key={mouth} mouth={mouth} />)}
                </span>
              )}
              {value.nps && (
                <span className="a-nps" aria-hidden="true">
                  {Array.from({ length: 11 }, (_, score) => <i key={score}>{score}</i>)}
                </span>
              )}
              {value.words && <span className="a-preview-words" aria-hidden="true">…</span>}
            </div>
          )
          : <p className="a-hint">{ask.off}</p>}
      </div>
    </div>
  );
}

function Mood({ mouth }: { mouth: string }): ReactElement {
  return (
    <svg className="glyph" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="9" />
      <path d="M8.900 9.800h.01M15.100 9.800h.01" />
      <path d={mouth} />
    </svg>
  );
}
