import type { ReactElement } from "react";
import type { ConversationPermissions } from "../../client/agent/permissions";
import { takeOver } from "../actions/dialog-state";
import { useWorkspace } from "../app/session-context";
import { Icon } from "../ui/icons";
import { texts } from "../i18n/texts";

const text = texts.watching;

/** Tells a person that they are watching or have joined, with what they may do about it. */
export function SpectatorBar(
  { c, permissions }: { c: string; permissions: ConversationPermissions },
): ReactElement | null {
  const workspace = useWorkspace();
  const { session } = workspace;
  const { watching, joined, theirs } = permissions;
  if (!watching && !joined) return null;
  return (
    <div className="watch-bar" role="status">
      <Icon name="eye" />
      <span>
        {watching
          ? (
            <>
              <strong>{text.title}</strong> {text.answers({ name: theirs ?? "" })}
            </>
          )
          : text.joined({ name: theirs ?? "" })}
      </span>
      {permissions.mayJoin && (
        <button className="button" onClick={() => session.ask(c, { join: {} })}>{text.join}</button>
      )}
      {joined && (
        <button
          className="button"
          onClick={() => session.ask(c, { leave: {} })}
          title={`${text.leave} (Alt + Shift + I)`}
        >
          {text.leave}
        </button>
      )}
      {permissions.mayTakeOver && (
        <button
          className="button"
          onClick={() => takeOver(workspace, c)}
          title={`${text.takeOver} (Alt + Shift + O)`}
        >
          {text.takeOver}
        </button>
      )}
    </div>
  );
}
