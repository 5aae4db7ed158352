import type { ReactElement } from "react";
import { obstacle } from "../../call/obstacle";
import type { CallKind } from "../../call/types";
import { may } from "../../client/agent/permissions";
import { useSessionState, useWorkspace } from "../app/session-context";
import { callTexts } from "../i18n/call-texts";
import { useNow } from "../ui/hooks";
import { CallIcon } from "./call-icon";

const text = callTexts;

/**
 * The buttons that invite to a call, where the brand, the person's profile and the channel have calls. Where the
 * customer asks to be called, the button says how long they wait.
 */
export default function CallButtons({ c }: { c: string }): ReactElement | null {
  const { identity, ui: { dialogs } } = useWorkspace();
  const { settings, inbox, me, link, threads } = useSessionState();
  const now = useNow();
  const row = inbox.rows.get(c);
  const { calls } = settings;
  if (!calls || row?.channel !== "web" || row.status !== "open" || row.to !== me) return null;
  const busy = [...inbox.rows.values()].some(({ routing }) => routing?.call?.agent === me);
  const why = link !== "online" ? "link" : busy ? "busy" : obstacle();
  const asked = threads.get(c)?.timeline.events.filter(({ content }) => content.kind === "callRequested").at(-1)?.at;
  const button = (kind: CallKind, icon: "phone" | "camera"): ReactElement => {
    const wish = row.routing?.wants !== kind
      ? undefined
      : text.wish[kind]({ waits: asked === undefined ? "" : waitText(now - asked) });
    return (
      <button
        className={wish === undefined ? "icon-button" : "button button-main"}
        aria-label={wish === undefined ? text[kind] : `${text[kind]}. ${wish}`}
        aria-disabled={why !== undefined || undefined}
        title={why === undefined ? text[kind] : `${text[kind]}. ${text.off[why]}`}
        onClick={() => why === undefined && dialogs.invite({ c, kind })}
      >
        <CallIcon name={icon} />
        {wish}
      </button>
    );
  };
  return (
    <>
      {calls.voice && may(identity, "calls.voice") && button("voice", "phone")}
      {calls.video && may(identity, "calls.video") && button("video", "camera")}
    </>
  );
}

/** How long someone waits, in whole minutes. */
function waitText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? text.justNow : text.minutes({ count: minutes });
}
