import { useEffect, useLayoutEffect, useRef, type ReactElement, type RefObject } from "react";
import { isOfferedTo } from "../../client/agent/inbox";
import type { AgentSession } from "../../client/agent/agent-session";
import type { InboxRow } from "../../client/conversation/events";
import { Avatar } from "../ui/avatar";
import { said, secondsLeft, useBell } from "./alert-sound";
import { useCentre, useSession, usePlace } from "../app/session-context";
import { length } from "../ui/format";
import { useMedia } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { refusalText } from "../actions/refusals";
import { go } from "../app/route";
import { strings } from "../i18n/strings";
import { useTick } from "../app/tick";
import { toast } from "../ui/toast";
import { words } from "../i18n/contact-centre-words";

const text = words.ring;

/** So many cards at a time, on a phone and elsewhere; the others are counted. */
const MOST = { phone: 1, desktop: 2 };
/** Between the cards and what stands beside them, above and below. */
const AROUND_PX = 28;

/** What rings at me now, the one that ends first on top. */
export function useRinging(): readonly InboxRow[] {
  const { inbox, me } = useSession();
  const now = useTick();
  return [...inbox.rows.values()].filter((row) => isOfferedTo(row, me, now)).sort((a, b) => (a.routing?.offer?.until ?? 0) - (b.routing?.offer?.until ?? 0));
}

/** Takes what rings and goes there. */
export function accept(desk: AgentSession, c: string): void {
  accepted.add(c);
  desk.take(c);
  go({ tab: "mine", c, card: false });
}

/** What was accepted on this page, and not answered for yet: who was too late is told so. */
const accepted = new Set<string>();

/** Cards for what rings, over every page. */
export function Rings(): ReactElement {
  const rows = useRinging();
  useBell(rows);
  useTooLate();
  const place = useRoom();
  const most = useMedia("(max-width: 759px)") ? MOST.phone : MOST.desktop;
  return (
    <div className="rings" ref={place} role="region" aria-label={text.label} hidden={rows.length === 0}>
      {rows.slice(0, most).map((row) => <Card key={row.c} row={row} />)}
      {rows.length > most && <p className="ring-more">{text.more(rows.length - most)}</p>}
    </div>
  );
}

/** Tells the page how much room the cards take: it makes way, so that they never lie over what somebody works with. */
function useRoom(): RefObject<HTMLDivElement> {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const seen = new ResizeObserver(() => {
      const { offsetHeight } = element;
      document.documentElement.style.setProperty("--rings", `${offsetHeight === 0 ? 0 : offsetHeight + AROUND_PX}px`);
    });
    seen.observe(element);
    return () => {
      seen.disconnect();
      document.documentElement.style.removeProperty("--rings");
    };
  }, []);
  return place;
}

function Card({ row }: { row: InboxRow }): ReactElement {
  const { desk } = usePlace();
  const { me, outbox } = useSession();
  const { centre } = useCentre();
  const skill = centre?.skills.find(({ id }) => id === row.routing?.skill)?.name;
  const card = useFocusKept();
  const busy = outbox.some((entry) => entry.c === row.c && (entry.command.kind === "take" || entry.command.kind === "ask"));
  return (
    <article className="offer" ref={card} aria-label={text.from(row.who)}>
      <div className="ring-head">
        <Avatar name={row.who} />
        <div className="ring-who">
          <strong dir="auto">{row.who}</strong>
          <span>
            {[strings.channel[row.channel ?? ""] ?? row.channel, skill, row.routing?.for === me ? text.transferred : undefined].filter(Boolean).join(" · ")}
          </span>
        </div>
        <Countdown row={row} />
      </div>
      <p className="ring-said" dir="auto">
        {row.routing?.urgent && <span className="mark mark-urgent"><Icon name="bolt" />{words.row.urgent}</span>}
        {row.last?.audio !== undefined && <Icon name="mic" />}{said(row)}
        {row.unplayed > 0 && <span className="row-unplayed"><Icon name="ear" />{strings.inbox.unplayed(length(row.unplayed))}</span>}
      </p>
      <div className="ring-acts">
        <button className="button" disabled={busy} onClick={() => desk.ask(row.c, { decline: {} })} title={`${text.decline} (d)`}>{text.decline}</button>
        <button className="button button-main" disabled={busy} onClick={() => accept(desk, row.c)} title={text.keys}>{text.accept}</button>
      </div>
    </article>
  );
}

/** Whoever pressed a button of a card that goes away stands in the conversation then, or in the list; never nowhere. */
function useFocusKept(): RefObject<HTMLElement> {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (element?.contains(document.activeElement) !== true) return;
      const place = location.hash.split("/").length > 2 ? document.getElementById("conversation") : document.querySelector<HTMLElement>(".tab[aria-selected=true]");
      place?.focus({ preventScroll: true });
    };
  }, []);
  return card;
}

function Countdown({ row }: { row: InboxRow }): ReactElement {
  const left = secondsLeft(row);
  const whole = useRef(Math.max(1, left));
  return (
    <span className="countdown" role="timer" aria-label={text.seconds(left)}>
      <svg viewBox="0 0 36 36" aria-hidden="true" focusable="false">
        <circle cx="18" cy="18" r="15" pathLength="100" />
        <circle className="countdown-on" cx="18" cy="18" r="15" pathLength="100" strokeDasharray={`${(left / whole.current) * 100} 100`} />
      </svg>
      <span aria-hidden="true">{left}</span>
    </span>
  );
}

/** Somebody else was faster, or it rings no more: said where the person is, for the conversation may not be in sight. */
function useTooLate(): void {
  const { problems, inbox, me, outbox } = useSession();
  useEffect(() => {
    for (const c of accepted) {
      const problem = problems.get(c);
      if (problem !== undefined) {
        accepted.delete(c);
        const row = inbox.rows.get(c);
        const name = row?.to === me ? undefined : row?.toName;
        toast(problem.code === "already_taken" ? (name === undefined ? problem.text : text.lost(name)) : refusalText(problem.code, problem.limit ?? 0), true);
      } else if (!outbox.some((entry) => entry.c === c && entry.command.kind === "take")) accepted.delete(c);
    }
  }, [problems, inbox, me, outbox]);
}
