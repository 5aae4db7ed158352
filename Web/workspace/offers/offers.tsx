import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { InboxRow } from "../../client/conversation/events";
import { Avatar } from "../ui/avatar";
import { useOffers } from "./current-offers";
import { useTakenAwayNotice } from "./taken-away";
import { lastMessageText, secondsLeft, useOfferAlerts } from "./alert-sound";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { durationText } from "../ui/format";
import { PHONE, useMedia } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { refusalText } from "../actions/refusals";
import { texts } from "../i18n/texts";
import { useToast } from "../app/page-context";

const text = texts.ring;

/** The most offers with a row of their own below the card; the others are counted. */
const MOST = { phone: 1, desktop: 2 };
/** The space above and below the cards. */
const AROUND_PX = 28;

/** The current offers, above every page: one as a card, the others as rows that bring their card up. */
export default function Offers(): ReactElement {
  const rows = useOffers();
  useOfferAlerts(rows);
  useLostOffers();
  useTakenAwayNotice();
  const place = useReservedSpace();
  const most = useMedia(PHONE) ? MOST.phone : MOST.desktop;
  const [chosen, choose] = useState<string | undefined>();
  const first = rows.find(({ c }) => c === chosen) ?? rows[0];
  const others = rows.filter((row) => row !== first);
  return (
    <div className="offers" ref={place} role="region" aria-label={text.label} hidden={rows.length === 0}>
      {first && <OfferCard key={first.c} row={first} />}
      {others.slice(0, most).map((row) => (
        <button
          key={row.c}
          className="offer-row"
          aria-label={text.show({ who: row.who })}
          onClick={() => choose(row.c)}
        >
          <span className="offer-row-who" dir="auto">{row.who}</span>
          <OfferRowText row={row} />
          <span className="offer-row-left">{secondsLeft(row)}</span>
        </button>
      ))}
      {others.length > most && <p className="offer-more">{text.more({ count: others.length - most })}</p>}
    </div>
  );
}

/** Tells the page how much space the cards take, so that they never cover what the person works with. */
function useReservedSpace(): RefObject<HTMLDivElement> {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null) return;
    const seen = new ResizeObserver(() => {
      const { offsetHeight } = element;
      document.documentElement.style.setProperty("--offers", `${offsetHeight === 0 ? 0 : offsetHeight + AROUND_PX}px`);
    });
    seen.observe(element);
    return () => {
      seen.disconnect();
      document.documentElement.style.removeProperty("--offers");
    };
  }, []);
  return place;
}

function OfferCard({ row }: { row: InboxRow }): ReactElement {
  const { session, ui: { accepted } } = useWorkspace();
  const { me, outbox, link } = useSessionState();
  const { centre } = useCentre();
  const offline = link !== "online";
  const skill = centre?.skills.find(({ id }) => id === row.routing?.skill)?.name;
  const card = useFocusHandover();
  const busy = outbox.some((entry) =>
    entry.c === row.c && (entry.command.kind === "take" || entry.command.kind === "ask")
  );
  return (
    <article className="offer" ref={card} aria-label={text.from({ who: row.who })}>
      <div className="offer-head">
        <Avatar name={row.who} />
        <div className="offer-who">
          <strong dir="auto">{row.who}</strong>
          <span>
            {[
              texts.channel[row.channel ?? ""] ?? row.channel,
              skill,
              row.routing?.for === me ? text.transferred : undefined,
            ].filter(Boolean).join(" · ")}
          </span>
        </div>
        <Countdown row={row} />
      </div>
      <OfferPreview row={row} />
      <div className="offer-acts">
        <button
          className="button"
          disabled={busy || offline}
          onClick={() => session.ask(row.c, { decline: {} })}
          title={`${text.decline} (d)`}
        >
          {text.decline}
        </button>
        <button
          className="button button-main"
          disabled={busy || offline}
          onClick={() => accepted.accept(session, row.c)}
          title={text.keys}
        >
          {text.accept}
        </button>
      </div>
      {offline && <p className="offer-offline" role="status">{text.offline}</p>}
    </article>
  );
}

function OfferRowText({ row }: { row: InboxRow }): ReactElement {
  return <span className="offer-row-text" dir="auto">{lastMessageText(row)}</span>;
}

/** What the consumer last wrote or said. */
function OfferPreview({ row }: { row: InboxRow }): ReactElement {
  const { unplayed = 0, last } = row;
  // The length of the last voice message is in the text already.
  const isMore = unplayed > (last?.audio ?? 0);
  return (
    <p className="offer-said" dir="auto">
      {row.routing?.urgent && (
        <span className="mark mark-urgent">
          <Icon name="bolt" />
          {texts.row.urgent}
        </span>
      )}
      {last?.audio !== undefined && <Icon name="mic" />}
      {lastMessageText(row)}
      {isMore && (
        <span className="row-unplayed">
          <Icon name="ear" />
          {texts.inbox.unplayed({ length: durationText(unplayed) })}
        </span>
      )}
    </p>
  );
}

/** Moves the focus from a card that disappears to the conversation or to the list. */
function useFocusHandover(): RefObject<HTMLElement> {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (element?.contains(document.activeElement) !== true) return;
      const place = location.hash.split("/").length > 2
        ? document.getElementById("conversation")
        : document.querySelector<HTMLElement>(".tab[aria-selected=true]");
      place?.focus({ preventScroll: true });
    };
  }, []);
  return card;
}

function Countdown({ row }: { row: InboxRow }): ReactElement {
  const left = secondsLeft(row);
  const whole = useRef(Math.max(1, left));
  return (
    <span className="countdown" role="timer" aria-label={text.seconds({ left })}>
      <svg viewBox="0 0 36 36" aria-hidden="true" focusable="false">
        <circle cx="18" cy="18" r="15" pathLength="100" />
        <circle
          className="countdown-on"
          cx="18"
          cy="18"
          r="15"
          pathLength="100"
          strokeDasharray={`${(left / whole.current) * 100} 100`}
        />
      </svg>
      <span aria-hidden="true">{left}</span>
    </span>
  );
}

/** Tells someone who accepted an offer too late, wherever they are: the conversation may not be visible. */
function useLostOffers(): void {
  const { accepted } = useWorkspace().ui;
  const toast = useToast();
  const { problems, inbox, me, outbox } = useSessionState();
  useEffect(() => {
    for (const c of accepted.all()) {
      const problem = problems.get(c);
      const pending = outbox.some((entry) => entry.c === c && entry.command.kind === "take");
      if (problem !== undefined || !pending) accepted.settle(c);
      if (problem === undefined) continue;
      const row = inbox.rows.get(c);
      const name = row?.to === me ? undefined : row?.toName;
      if (problem.code !== "already_taken") toast(refusalText(problem.code, problem.limit ?? 0), true);
      else toast(name === undefined ? problem.text : text.lost({ name }), true);
    }
  }, [problems, inbox, me, outbox, accepted, toast]);
}
