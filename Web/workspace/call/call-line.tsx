import type { ReactElement } from "react";
import type { SystemLineRow } from "../../client/agent/private-rows";
import { callOf } from "../../client/conversation/calls";
import { useSessionState } from "../app/session-context";
import { timeText } from "../ui/format";
import { callTexts } from "../i18n/call-texts";
import { clockText } from "../../voice/ui/time";

const text = callTexts.line;

/** A line of the conversation about a call: an invitation, a wish, or an end with its length. */
export default function CallLine({ row, c, who, mine }: {
  row: SystemLineRow;
  c: string;
  who: string;
  mine: boolean;
}): ReactElement | null {
  const events = useSessionState().threads.get(c)?.timeline.events ?? [];
  const name = row.by === 1 ? who : row.name;
  const said = sentence(row, events, name, mine);
  return said === undefined ? null : (
    <li className="notice">
      <span>{said}</span> <time>{timeText(row.at)}</time>
    </li>
  );
}

function sentence(
  { event: { content } }: SystemLineRow,
  events: Parameters<typeof callOf>[0],
  name: string,
  mine: boolean,
): string | undefined {
  switch (content.kind) {
    case "callInvited": {
      const kind = text.kinds[content.media];
      return mine ? text.invitedYou({ kind }) : text.invited({ name, kind });
    }
    case "callRequested":
      return text.wanted({ name, kind: text.kinds[content.media] });
    case "callEnded": {
      if (content.ms !== undefined && content.why !== "failed") {
        const invited = callOf(events, content)?.content;
        const kind = callTexts.kinds[invited?.kind === "callInvited" ? invited.media : "voice"];
        return text.ended({ kind, time: clockText(content.ms) });
      }
      if (content.why === "declined" || content.why === "cancelled") return text[content.why]({ name });
      return content.why === "unanswered" || content.why === "failed" ? text[content.why] : text.closed;
    }
    default:
      return undefined;
  }
}
