import type { ReactElement } from "react";
import type { ConversationPermissions } from "../../client/agent/permissions";
import { usePlace } from "../app/session-context";
import { Icon } from "../ui/icons";
import { words } from "../i18n/contact-centre-words";

const text = words.watching;

/** A manager looks on, or joined: that is said for as long as it lasts, with what can be done about it. */
export function WatchBar({ c, stance }: { c: string; stance: ConversationPermissions }): ReactElement | null {
  const { desk } = usePlace();
  const { watching, joined, theirs } = stance;
  if (!watching && !joined) return null;
  return (
    <div className="watch-bar" role="status">
      <Icon name="eye" />
      <span>{watching ? <><strong>{text.title}</strong> {text.answers(theirs ?? "")}</> : text.joined(theirs ?? "")}</span>
      {watching && <button className="button" onClick={() => desk.ask(c, { join: {} })}>{text.join}</button>}
      {joined && <button className="button" onClick={() => desk.ask(c, { leave: {} })} title={`${text.leave} (Alt + Shift + I)`}>{text.leave}</button>}
      <button className="button" onClick={() => desk.ask(c, { takeOver: {} })} title={`${text.takeOver} (Alt + Shift + O)`}>{text.takeOver}</button>
    </div>
  );
}
