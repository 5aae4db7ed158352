import { type FormEvent, type ReactElement, useId, useState } from "react";
import type { Attribute } from "../../../client/agent/contact-centre";
import type { Thread } from "../../../client/agent/agent-thread";
import type { InboxRow } from "../../../client/conversation/events";
import { useCentre, useWorkspace } from "../../app/session-context";
import { Icon } from "../../ui/icons";
import { dialogTexts } from "../../i18n/dialog-texts";

const text = dialogTexts.work;

/** The tags, attributes and wrap-up code of a conversation. */
export default function Labels(
  { c, thread, row }: { c: string; thread: Thread; row: InboxRow | undefined },
): ReactElement {
  const { session } = useWorkspace();
  const { centre } = useCentre();
  const { attributes, disposition } = thread.recorded;
  const code = centre?.dispositions.find(({ id }) => id === disposition)?.name ?? disposition;
  return (
    <>
      <Tags
        key={c}
        tags={row?.routing?.tags ?? []}
        known={centre?.tags ?? []}
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
  { tags, known, change }: {
    tags: readonly string[];
    known: readonly string[];
    change: (tags: readonly string[]) => void;
  },
): ReactElement {
  const [typed, setTyped] = useState("");
  const id = useId();
  const add = (event: FormEvent): void => {
    event.preventDefault();
    const tag = typed.trim();
    if (tag !== "" && !tags.includes(tag)) change([...tags, tag]);
    setTyped("");
  };
  return (
    <section className="work">
      <h3>{text.tags}</h3>
      {tags.length > 0 && (
        <ul className="tags">
          {tags.map((tag) => (
            <li key={tag} className="tag">
              <span dir="auto">{tag}</span>
              <button
                aria-label={text.removeTag({ tag })}
                onClick={() => change(tags.filter((other) => other !== tag))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={add}>
        <input
          className="field"
          id="tag"
          list={id}
          maxLength={40}
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

function AttributeField(
  { fact, value, change }: { fact: Attribute; value: string | undefined; change: (value: string) => void },
): ReactElement {
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
        <select className="field" value={value ?? ""} onChange={(event) => change(event.target.value)}>
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
