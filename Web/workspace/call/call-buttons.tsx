import type { ReactElement } from "react";
import { obstacle } from "../../call/obstacle";
import type { CallKind } from "../../call/types";
import { impossible, remark, type Impossible, type Remark } from "../../call/verdict";
import { may } from "../../client/agent/permissions";
import { useToast } from "../app/page-context";
import { useSessionState, useWorkspace } from "../app/session-context";
import { callTexts } from "../i18n/call-texts";
import { useNow } from "../ui/hooks";
import { type CallCheck, useCallCheck } from "./call-check";
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
  const toast = useToast();
  const row = inbox.rows.get(c);
  const { calls } = settings;
  const busy = [...inbox.rows.values()].some(({ routing }) => routing?.call?.agent === me);
  const barred = link !== "online" ? "link" : busy ? "busy" : obstacle();
  const isMine = row?.channel === "web" && row.status === "open" && row.to === me;
  const check = useCallCheck(c, calls !== undefined && isMine && barred === undefined);
  if (!calls || !row || !isMine) return null;
  const reason: Reason | undefined = barred ?? reasonOf(check);
  const why = reason && say(text.off[reason], row.who);
  const asked = threads.get(c)?.timeline.events.filter(({ content }) => content.kind === "callRequested").at(-1)?.at;
  const button = (kind: CallKind, icon: "phone" | "camera"): ReactElement => {
    const note = noteOf(check, kind);
    const wish = row.routing?.wants !== kind
      ? undefined
      : text.wish[kind]({ waits: asked === undefined ? "" : waitText(now - asked) });
    return (
      <button
        className={wish === undefined ? "call-button icon-button" : "call-button button button-main"}
        aria-label={wish === undefined ? text[kind] : `${text[kind]}. ${wish}`}
        aria-disabled={why !== undefined || undefined}
        title={[text[kind], why ?? (note && say(text.remark[note], row.who))].filter(Boolean).join(". ")}
        onClick={() => {
          if (why === undefined) return dialogs.invite({ c, kind });
          toast(why);
          check.again();
        }}
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

type Reason = "link" | "busy" | "checking" | "gone" | Impossible;

/** Why there can be no call between the two, as far as their devices have answered. */
function reasonOf({ own, theirs }: CallCheck): Reason | undefined {
  if (own?.problem) return own.problem;
  if (own === undefined || theirs === undefined) return "checking";
  return theirs === "gone" ? theirs : impossible(own, theirs);
}

/** What is worth knowing about a call that can work. */
function noteOf({ own, theirs }: CallCheck, kind: CallKind): Remark | undefined {
  return own && theirs && theirs !== "gone" ? remark(own, theirs, kind) : undefined;
}

const say = (line: string | ((values: { name: string }) => string), name: string): string =>
  typeof line === "string" ? line : line({ name });

/** How long someone waits, in whole minutes. */
function waitText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  return minutes < 1 ? text.justNow : text.minutes({ count: minutes });
}
