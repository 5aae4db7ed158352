import type { ReactElement } from "react";
import { obstacle } from "../../call/local-media";
import type { CallKind } from "../../call/types";
import { may } from "../../client/agent/permissions";
import { useSessionState, useWorkspace } from "../app/session-context";
import { callTexts } from "../i18n/call-texts";
import { CallIcon } from "./call-icon";

const text = callTexts;

/** The buttons that invite to a call, where the brand, the person's profile and the channel have calls. */
export default function CallButtons({ c }: { c: string }): ReactElement | null {
  const { identity, ui: { dialogs } } = useWorkspace();
  const { settings, inbox, me, link } = useSessionState();
  const row = inbox.rows.get(c);
  const { calls } = settings;
  if (!calls || row?.channel !== "web" || row.status !== "open" || row.to !== me) return null;
  const busy = [...inbox.rows.values()].some(({ routing }) => routing?.call?.agent === me);
  const why = link !== "online" ? "link" : busy ? "busy" : obstacle();
  const button = (kind: CallKind, icon: "phone" | "camera"): ReactElement => (
    <button
      className="icon-button"
      aria-label={text[kind]}
      aria-disabled={why !== undefined || undefined}
      title={why === undefined ? text[kind] : `${text[kind]}. ${text.off[why as keyof typeof text.off]}`}
      data-wanted={row.routing?.wants === kind || undefined}
      onClick={() => why === undefined && dialogs.invite({ c, kind })}
    >
      <CallIcon name={icon} />
    </button>
  );
  return (
    <>
      {calls.voice && may(identity, "calls.voice") && button("voice", "phone")}
      {calls.video && may(identity, "calls.video") && button("video", "camera")}
    </>
  );
}
