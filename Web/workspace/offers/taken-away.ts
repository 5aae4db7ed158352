import { useEffect, useRef, useState } from "react";
import { type TakenAway, TakenAwayConversations } from "../../client/agent/taken-away";
import { usePage, useToast } from "../app/page-context";
import { go } from "../app/route";
import { useNameOf, useSessionState } from "../app/session-context";
import { dialogTexts } from "../i18n/dialog-texts";
import { AlertSound } from "../../voice/play/alert-sound";
import { lastMessageText, notify, useLeader } from "./alert-sound";

const text = dialogTexts.takenAway;

/**
 * Tells a person wherever they are that somebody else took a conversation from them: with a message that leads there, a
 * sound, and a desktop notification.
 */
export function useTakenAwayNotice(): void {
  const state = useSessionState();
  const { preferences } = usePage();
  const toast = useToast();
  const nameOf = useNameOf();
  const leads = useLeader("taken");
  const [conversations] = useState(() => new TakenAwayConversations());
  const sound = useRef(new AlertSound());
  useEffect(() => {
    const said = ({ row, how }: TakenAway): string => {
      if (how === "takenOver") return text.takenOver({ name: row.toName ?? "", who: row.who });
      return how === "queued"
        ? text.queued({ who: row.who })
        : text.transferred({ name: nameOf(row.routing?.for), who: row.who });
    };
    for (const taken of conversations.done(state)) {
      const { row } = taken;
      toast(said(taken), false, {
        label: text.open,
        run: () => go({ tab: "all", c: row.c, card: false }),
      });
      if (!leads.current) continue;
      if (preferences.get().sound) sound.current.play();
      notify(preferences, said(taken), lastMessageText(row), row.c);
    }
  }, [state, conversations, toast, nameOf, leads, preferences]);
}
