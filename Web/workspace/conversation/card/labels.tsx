import { type FormEvent, type ReactElement, useId, useState } from "react";
import type { Attribute } from "../../../client/agent/contact-centre";
import type { Thread } from "../../../client/agent/agent-thread";
import type { InboxRow } from "../../../client/conversation/events";
import { usePermissions } from "../../actions/dialog-state";
import { useCentre, useWorkspace } from "../../app/session-context";
import { Icon } from "../../ui/icons";
import { useTagSuggestions } from "./tag-suggestions";
import { dialogTexts } from "../../i18n/dialog-texts";

const text = dialogTexts.work;

/** The tags, attributes and wrap-up code of a conversation; only people who answer change them. */
export default function Labels(
  { c, thread, row }: { c: string; thread: Thread; row: InboxRow | undefined },
): ReactElement {
  const { session } = useWorkspace();
  const { centre } = useCentre();
  const { mayAnswer } = usePermissions(c);
  const { attributes, disposition } = thread.recorded;
  const code = centre?.dispositions.find(({ id }) => id === disposition)?.name ?? disposition;
  return (
    <>
      <Tags
        key={c}
        tags={row?.routing?.tags ?? []}
        fixed={!mayAnswer}
        change={(tags) => session.ask(c, { tags })}
      />
      {(centre?.attributes ?? []).length > 0 && (
        <section className="work">
          <h3>{text.facts}</h3>
          {centre?.attributes.map((one) => (
            <AttributeField
              key={`${c} ${one.id}`}
              fact={one}
              value={attributes.get(one.id)}
              fixed={!mayAnswer}
              change={(value) => session.ask(c, { attribute: { name: one.id, ...(value === "" ? {} : { value }) } })}
            />
          ))}
        </section>
      )}
      {code !== undefined && (
        <section className="work">
          <h3>{text.disposition}</h3>
          <p dir="auto">{code}</p>
        </section>
      )}
    </>
  );
}

function Tags(
  { tags, fixed, change }: {
    tags: readonly string[];
    /** Whether the person may only read them. */
    fixed: boolean;
    change: (tags: readonly string[]) => void;
  },
): ReactElement | null {
  const [typed, setTyped] = useState("");
  const known = useTagSuggestions();
  const id = useId();
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const tag = typed.trim();
    if (tag !== "" && !tags.includes(tag)) change([...tags, tag]);
    setTyped("");
  };
  if (fixed && tags.length === 0) return null;
  return (
    <section className="work">
      <h3>{text.tags}</h3>
      {tags.length > 0 && (
        <ul className="tags">
          {tags.map((tag) => (
            <li key={tag} className="tag">
              <span dir="auto">{tag}</span>
              {!fixed && (
                <button
                  aria-label={text.removeTag({ tag })}
                  onClick={() => change(tags.filter((other) => other !== tag))}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={add} hidden={fixed}>
        <input
          className="field"
          id="tag"
          list={id}
          maxLength={40}
          disabled={fixed}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder={text.addTag}
          aria-label={text.addTag}
        />
        <datalist id={id}>
          {known.filter((tag) => !tags.includes(tag)).map((tag) => <option key={tag} value={tag} />)}
        </datalist>
      </form>
    </section>
  );
}

interface AttributeProps {
  readonly fact: Attribute;
  readonly value: string | undefined;
  readonly fixed: boolean;
  readonly change: (value: string) => void;
}

function AttributeField({ fact, value, fixed, change }: AttributeProps): ReactElement {
  const [typed, setTyped] = useState<string | undefined>();
  const shown = typed ?? value ?? "";
  const keep = (): void => {
    if (typed !== undefined && typed.trim() !== (value ?? "")) change(typed.trim());
    setTyped(undefined);
  };
  if (fact.type === "yesNo") {
    return (
      <label className="fact-field">
        <span>{fact.name}</span>
        <select className="field" disabled={fixed} value={value ?? ""} onChange={(event) => change(event.target.value)}>
          <option value="">{text.unknown}</option>
          <option value="yes">{text.yes}</option>
          <option value="no">{text.no}</option>
        </select>
      </label>
    );
  }
  return (
    <label className="fact-field">
      <span>{fact.name}</span>
      <input
        className="field"
        type={fact.type}
        disabled={fixed}
        value={shown}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key === "Enter") keep();
          if (event.key === "Escape") {
            event.stopPropagation();
            setTyped(undefined);
          }
        }}
      />
    </label>
  );
}
