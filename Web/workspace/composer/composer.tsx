import { type ReactElement } from "react";
import type { Thread } from "../../client/agent/agent-thread";
import type { InboxRow } from "../../client/conversation/events";
import { useDialogState, usePermissions } from "../actions/dialog-state";
import { ProblemStrip } from "../actions/problem";
import { useSessionState, useWorkspace } from "../app/session-context";
import { SpectatorBar } from "../conversation/spectator-bar";
import { texts } from "../i18n/texts";
import { Icon } from "../ui/icons";
import { MessageForm } from "./message-form";
import { RecorderSlot, RecordingElsewhere } from "./recording";

const text = texts.composer;

interface ComposerProps {
  c: string;
  who: string;
  thread: Thread | undefined;
  row: InboxRow | undefined;
  ready: boolean;
}

/** The place to write a reply or a private note; explains why where the person can't reply. */
export function Composer({ c, who, thread, row, ready }: ComposerProps): ReactElement {
  const { session } = useWorkspace();
  const state = useSessionState();
  const permissions = usePermissions(c);
  const { noteMode } = useDialogState();
  const problem = state.problems.get(c);
  const { status, theirs, maySay, mayNote } = permissions;
  const note = mayNote && (noteMode === c || !maySay);
  const disabled = !ready && row === undefined;
  return (
    <footer className="composer" data-note={note || undefined}>
      <SpectatorBar c={c} permissions={permissions} />
      {mayNote && row?.routing?.mentioned.includes(state.me) === true && <Mentioned c={c} />}
      {problem && <ProblemStrip problem={problem} other={theirs} dismiss={() => session.dismiss(c)} />}
      {!problem && maySay && !note && status === "waiting" && <p className="strip">{text.waiting}</p>}
      {status === "closed" && row?.routing?.afterword !== undefined && (
        <Afterword c={c} who={who} maySettle={permissions.maySettle} />
      )}
      {!note && status === "closed" && row?.routing?.afterword === undefined && (
        <Closed who={who} maySay={maySay} />
      )}
      {!permissions.mayAnswer && <ReadOnly />}
      {permissions.mayAnswer && !maySay && (
        <AnsweredByColleague
          c={c}
          name={theirs ?? ""}
          draft={state.drafts.get(c)}
          told={problem !== undefined || permissions.watching}
        />
      )}
      <RecordingElsewhere c={c} />
      {(maySay || mayNote) && (
        <>
          <RecorderSlot c={c} note={note} />
          <MessageForm
            key={note ? "note" : "reply"}
            c={c}
            who={who}
            permissions={permissions}
            note={note}
            disabled={disabled}
            language={thread?.who?.language}
            skill={row?.routing?.skill}
          />
        </>
      )}
    </footer>
  );
}

/** Says that the conversation is closed, and what opens it again. */
function Closed({ who, maySay }: { who: string; maySay: boolean }): ReactElement {
  return (
    <p className="strip strip-closed">
      <Icon name="resolve" />
      <span>
        <strong>{text.closed}</strong> {maySay && text.closedHint({ name: who })}
      </span>
    </p>
  );
}

/** Says that the consumer wrote after the close; who may answer says whether that needs an answer. */
function Afterword({ c, who, maySettle }: { c: string; who: string; maySettle: boolean }): ReactElement {
  const { session } = useWorkspace();
  return (
    <p className="strip">
      <Icon name="resolve" />
      <span>
        <strong>{text.afterword({ name: who })}</strong> {text.afterwordHint}
      </span>
      {maySettle && (
        <button type="button" className="button" title="y" onClick={() => session.ask(c, { settle: {} })}>
          {texts.actions.settle}
        </button>
      )}
    </p>
  );
}

/** Says that a private note mentions the person, until they mark it as read. */
function Mentioned({ c }: { c: string }): ReactElement {
  const { session } = useWorkspace();
  return (
    <p className="strip strip-note">
      <Icon name="at" />
      <span>{texts.note.mentionsYou}</span>
      <button type="button" className="link" onClick={() => session.ask(c, { noticed: {} })}>{texts.note.seen}</button>
    </p>
  );
}

/** Shown in place of a reply to people who may not answer. */
function ReadOnly(): ReactElement {
  return (
    <p className="strip">
      <Icon name="eye" />
      <span>{text.readOnly}</span>
    </p>
  );
}

/** Shown when someone else answers. An unsent draft stays visible, to be copied. */
function AnsweredByColleague(
  { c, name, draft, told }: { c: string; name: string; draft: string | undefined; told: boolean },
): ReactElement {
  const { session } = useWorkspace();
  return (
    <>
      {!told && (
        <p className="strip">
          <Icon name="info" />
          <span>{text.theirs({ name })}</span>
        </p>
      )}
      {draft !== undefined && (
        <div className="kept-draft">
          <p dir="auto">{draft}</p>
          <p className="kept-foot">
            <span className="row-draft">{texts.inbox.draft}</span>
            <button className="link" onClick={() => session.draft(c, "", false)}>{texts.say.discard}</button>
          </p>
        </div>
      )}
    </>
  );
}
