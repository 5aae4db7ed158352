import { type ReactElement, useState } from "react";
import { settingsTexts } from "../../i18n/settings-texts";
import { durationText } from "../../ui/format";
import { SelectField, TextField } from "../fields";
import { Items } from "../items";
import { problemCount, useNames, useSection, useSettings, useSkills } from "../settings-context";
import { type Canned as Reply, put, REPLY_PLACEHOLDERS, slug } from "../settings-model";
import { ClipField } from "./clip";
import { TemplateField } from "./template-field";

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
