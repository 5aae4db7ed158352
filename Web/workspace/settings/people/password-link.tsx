import { type ReactElement, useState } from "react";
import { useToast } from "../../app/page-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { dateTimeText } from "../../ui/format";
import { useSettings } from "../settings-context";
import type { NewLink, Person } from "./person";

const text = settingsTexts.link;

/** Makes and revokes the link with which a person sets a password. */
export function PasswordLink({ person }: { person: Person }): ReactElement {
  const { editor, state } = useSettings();
  const toast = useToast();
  const [link, setLink] = useState<NewLink | undefined>();
  const [busy, setBusy] = useState(false);
  const { id, name, invited, linkEnds } = state.people.find((one) => one.id === person.id) ?? person;
  const standing = linkEnds !== undefined
    ? text.open({ at: dateTimeText(linkEnds) })
    : invited
    ? text.ended
    : text.hint({ name });
  const refused = (code: string): void => toast(settingsTexts.person.refused[code] ?? settingsTexts.person.other, true);
  const make = async (): Promise<void> => {
    setBusy(true);
    const made = await editor.links.renew(id);
    setBusy(false);
    if (typeof made === "string") refused(made);
    else setLink(made);
  };
  const revoke = async (): Promise<void> => {
    setBusy(true);
    const code = await editor.links.revoke(id);
    setBusy(false);
    setLink(undefined);
    if (code !== undefined) refused(code);
  };
  return (
    <section className="person-link" aria-label={text.title}>
      <h3>{invited ? text.invitation : text.title}</h3>
      {link === undefined && <p>{standing}</p>}
      {link !== undefined && <ShownLink link={link} name={name} />}
      <p className="person-link-actions">
        <button type="button" className="button" disabled={busy} onClick={() => void make()}>
          {linkEnds === undefined ? text.make : text.renew}
        </button>
        {linkEnds !== undefined && (
          <button type="button" className="button" disabled={busy} onClick={() => void revoke()}>{text.revoke}</button>
        )}
      </p>
    </section>
  );
}

/** A new link, to be copied: it is not shown again. */
export function ShownLink({ link, name }: { link: NewLink; name: string }): ReactElement {
  const toast = useToast();
  const copy = (): void => {
    const done = navigator.clipboard?.writeText(link.address) ?? Promise.reject(new Error("no clipboard"));
    done.then(() => toast(text.copied), () => toast(text.copyFailed, true));
  };
  return (
    <div className="shown-link" role="group" aria-label={text.link}>
      <p>{text.handOver({ name, at: dateTimeText(link.expires) })}</p>
      <div>
        <input
          className="input"
          readOnly
          aria-label={text.link}
          value={link.address}
          onFocus={(event) => event.target.select()}
        />
        <button type="button" className="button button-main" data-focus onClick={copy}>{text.copy}</button>
      </div>
    </div>
  );
}
