import { useEffect, useRef } from "react";
import type { InboxRow } from "../../client/conversation/events";
import { TabLeader, type Locks } from "../../client/agent/tab-leader";
import { useSessionState, useWorkspace } from "../app/session-context";
import { durationText } from "../ui/format";
import { useLatest } from "../ui/hooks";
import { usePage } from "../app/page-context";
import { AlertSound } from "../../voice/play/alert-sound";
import type { PreferenceStore } from "../app/preferences";
import { go } from "../app/route";
import { texts } from "../i18n/texts";

/** The pause between two sounds. */
const EVERY_MS = 2600;

/**
 * Alerts an agent who does not look at the page with a sound and a desktop notification: in one tab only, and once for
 * each offer. `rows`: the current offers.
 */
export function useOfferAlerts(rows: readonly InboxRow[]): void {
  const leads = useLeader();
  const { preferences, announcements } = usePage();
  const sound = useRef(new AlertSound());
  const state = useSessionState();
  const known = useRef(new Set<string>());
  const fresh = rows.filter((row) => !known.current.has(offerKey(row)));
  const ringing = rows.length > 0;
  useEffect(() => {
    for (const row of fresh) {
      known.current.add(offerKey(row));
      announcements.say(texts.ring.announce({ who: row.who, seconds: secondsLeft(row) }));
      if (leads.current) notify(preferences, texts.ring.title({ who: row.who }), lastMessageText(row), row.c);
    }
  });
  useEffect(() => {
    if (!ringing) return;
    const stroke = (): void => void (leads.current && preferences.get().sound && sound.current.play());
    stroke();
    const timer = setInterval(stroke, EVERY_MS);
    return () => clearInterval(timer);
  }, [ringing, leads, preferences]);
  useMentions(
    state.inbox.loaded,
    [...state.inbox.rows.values()].filter(({ routing }) => routing?.mentioned.includes(state.me)),
    leads,
  );
}

/** Identifies an offer by its conversation and expiry: offering the same conversation again is a new offer. */
const offerKey = (row: InboxRow): string => `${row.c} ${row.routing?.offer?.until ?? 0}`;

export function secondsLeft({ routing }: InboxRow): number {
  return Math.max(0, Math.ceil(((routing?.offer?.until ?? 0) - Date.now()) / 1000));
}

/** The last message of a conversation, in one line. */
export function lastMessageText({ last }: InboxRow): string {
  return last?.audio === undefined ? last?.text ?? "" : texts.inbox.voice({ length: durationText(last.audio) });
}

function useMentions(loaded: boolean, rows: readonly InboxRow[], leads: { readonly current: boolean }): void {
  const { preferences, announcements } = usePage();
  const known = useRef<Set<string> | undefined>(undefined);
  const latest = useLatest(rows);
  const names = rows.map(({ c }) => c).join(" ");
  useEffect(() => {
    if (!loaded) return;
    for (const row of latest.current) {
      if (known.current === undefined || known.current.has(row.c)) continue;
      announcements.say(texts.bell.mention({ who: row.who }));
      if (leads.current) notify(preferences, texts.bell.mention({ who: row.who }), lastMessageText(row), row.c);
    }
    known.current = new Set(names.split(" "));
  }, [loaded, names, latest, leads, preferences, announcements]);
}

/** Whether this tab is the one that sounds; `what`: for which alerts. */
export function useLeader(what = "bell"): { readonly current: boolean } {
  const { identity } = useWorkspace();
  const leads = useRef(false);
  const { account, agent } = identity;
  useEffect(() => {
    const leader = new TabLeader(
      navigator.locks as Locks | undefined,
      `earshot.${what}.${account.id}.${agent.id}`,
      (now) => (leads.current = now),
    );
    return () => {
      leads.current = false;
      leader.resign();
    };
  }, [account.id, agent.id, what]);
  return leads;
}

/** Shows a desktop notification, where that is allowed and the page does not have the focus. */
export function notify(preferences: PreferenceStore, title: string, body: string, c: string): void {
  if (
    !preferences.get().notify || !("Notification" in window) || Notification.permission !== "granted" ||
    document.hasFocus()
  ) return;
  try {
    const shown = new Notification(title, { body, tag: `earshot.${c}`, icon: "icon.svg" });
    shown.onclick = () => {
      window.focus();
      go({ tab: "all", c, card: false });
      shown.close();
    };
  } catch {
    return; // Some phones have the name and not the thing.
  }
}
