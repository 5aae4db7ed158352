import { type ReactElement, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { participant } from "../../client/agent/agent-thread";
import { agentRows } from "../../client/agent/private-rows";
import { useSessionState, useWorkspace } from "../app/session-context";
import { Dialog } from "../ui/dialog";
import { midnight } from "../ui/format";
import { useNow } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { go, type List } from "../app/route";
import { MessageSkeletons } from "../ui/skeletons";
import { dialogTexts } from "../i18n/dialog-texts";
import { texts } from "../i18n/texts";
import { RowView } from "../conversation/timeline";

const text = texts.conversation;

interface PreviewProps {
  c: string;
  tab: List;
  close: () => void;
}

/** Shows a conversation without opening it: voice messages play, nothing is marked as read. */
export default function Preview({ c, tab, close }: PreviewProps): ReactElement {
  const { session, identity } = useWorkspace();
  const state = useSessionState();
  const now = useNow();
  const box = useRef<HTMLDivElement>(null);
  const thread = state.threads.get(c);
  const who = thread?.who?.name ?? state.inbox.rows.get(c)?.who ?? "";
  const me = thread === undefined ? -1 : participant(thread, identity.agent.id) ?? -1;
  useEffect(() => session.open(c), [c, session]);
  const rows = useMemo(
    () => (thread === undefined
      ? []
      : agentRows(thread.timeline, [], { me, online: true, dayOf: (at) => String(midnight(at)) })),
    [thread, me],
  );
  useLayoutEffect(() => {
    // In braces: in newer browsers scrollTo returns a promise, which an effect must not return.
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [rows.length]);
  const ready = thread !== undefined && thread.phase !== "loading";
  return (
    <Dialog label={dialogTexts.preview.title({ name: who })} className="preview" close={close}>
      <header className="bar">
        <div className="preview-who">
          <h2 dir="auto">{who}</h2>
          <p>{dialogTexts.preview.hint}</p>
        </div>
        <button
          className="button"
          onClick={() => {
            close();
            go({ tab, c, card: false });
          }}
        >
          {dialogTexts.preview.open}
        </button>
        <button className="icon-button" aria-label={dialogTexts.close} onClick={close} data-focus>
          <Icon name="close" />
        </button>
      </header>
      <div className="preview-body" ref={box} tabIndex={0} role="region" aria-label={text.messages}>
        {ready
          ? (
            <ol className="messages">
              {rows.map((row) => <RowView key={row.id} row={row} c={c} who={who} me={me} now={now} divided={false} />)}
            </ol>
          )
          : <MessageSkeletons />}
      </div>
    </Dialog>
  );
}
