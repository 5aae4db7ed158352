import { type ReactElement, useState } from "react";
import { type ConversationPermissions, may } from "../../client/agent/permissions";
import type { InboxRow } from "../../client/conversation/events";
import { useReturnToQueue } from "../actions/commands";
import { closeConversation, takeOver } from "../actions/dialog-state";
import { usePage, useToast } from "../app/page-context";
import { type Route } from "../app/route";
import { useWorkspace } from "../app/session-context";
import { texts } from "../i18n/texts";
import { Icon } from "../ui/icons";
import { Popover } from "../ui/popover";
import { copyTranscript, exportAddress } from "./copy-transcript";

const text = texts.conversation;
const acts = texts.actions;

/** The actions that are used less often. */
export function MoreMenu(
  { c, permissions, row, route, said }: {
    c: string;
    permissions: ConversationPermissions;
    row: InboxRow | undefined;
    route: Route;
    said: boolean;
  },
): ReactElement {
  const workspace = useWorkspace();
  const { session, identity, ui: { dialogs } } = workspace;
  const page = usePage();
  const returnToQueue = useReturnToQueue();
  const [open, setOpen] = useState(false);
  const item = (label: string, key: string, run: () => void): ReactElement => (
    <button
      key={label}
      className="menu-item"
      onClick={() => {
        setOpen(false);
        run();
      }}
    >
      {label}
      {key !== "" && <kbd>{key}</kbd>}
    </button>
  );
  const urgent = row?.routing?.urgent === true;
  return (
    <Popover open={open} setOpen={setOpen} label={acts.more} className="icon-button" button={<Icon name="more" />}>
      {permissions.mayTransfer && item(acts.transfer, "x", () => dialogs.open("transfer", c))}
      {permissions.mayTransfer && permissions.status === "open" &&
        item(acts.toQueue, "Alt ⇧ Q", () => returnToQueue(c, route))}
      {permissions.mine && permissions.mayAnswer && item(acts.promise, "b", () => dialogs.open("callback", c))}
      {permissions.mine && permissions.mayAnswer && row?.routing?.callback !== undefined &&
        item(acts.back, "", () => session.ask(c, { callback: 0 }))}
      {permissions.mayTakeOver && item(texts.watching.takeOver, "Alt ⇧ O", () => takeOver(workspace, c))}
      {permissions.maySettle && item(acts.settle, "y", () => session.ask(c, { settle: {} }))}
      {permissions.mayAnswer && permissions.status !== "closed" &&
        item(urgent ? acts.notUrgent : acts.urgent, "u", () => session.ask(c, { urgent: !urgent }))}
      {permissions.status !== "closed" && item(acts.why, "w", () => dialogs.open("why", c))}
      {!permissions.mine && permissions.mayClose && item(text.closeLong, "e", () => closeConversation(workspace, c))}
      {permissions.mayClose && item(acts.closeQuietly, "", () => closeConversation(workspace, c, true))}
      {said && item(text.copy, "Alt ⇧ Y", () => copyTranscript(page, c))}
      {said && <Transcripts c={c} close={() => setOpen(false)} />}
      {said && may(identity, "conversations.export") && (
        <EvidenceLink c={c} chosen={() => setOpen(false)} />
      )}
    </Popover>
  );
}

/** The conversation as a file, in each form. */
function Transcripts({ c, close }: { c: string; close: () => void }): ReactElement {
  return (
    <div className="menu-item transcript" role="group" aria-label={text.save}>
      {text.save}
      {Object.entries(text.forms).map(([format, name]) => (
        <a key={format} href={exportAddress(c, format)} target="_blank" rel="noopener" onClick={close}>
          {name}
        </a>
      ))}
    </div>
  );
}

/** Downloads the evidence, and says that it is being made: a long conversation takes a while. */
function EvidenceLink({ c, chosen }: { c: string; chosen: () => void }): ReactElement {
  const toast = useToast();
  return (
    <a className="menu-item" href={exportAddress(c)} download onClick={() => (chosen(), toast(text.evidenceMade))}>
      {text.evidence}
    </a>
  );
}
