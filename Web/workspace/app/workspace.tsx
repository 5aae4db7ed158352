import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import { attention } from "../../client/agent/inbox";
import { currentSession, type Session } from "../../client/agent/sign-in";
import { request } from "./agent-session";
import { Banner } from "./banner";
import { useRecorderLifecycle } from "../composer/recorders";
import { ConversationPane } from "../conversation/conversation";
import { useFreshContactCentre, useSessionState, useViewer, useWorkspace } from "./session-context";
import { Dialogs, prefetchDialogs } from "../actions/dialogs";
import { useDialogState } from "../actions/dialog-state";
import { useFocusOnNavigation } from "../ui/focus";
import { useLatest, useMedia } from "../ui/hooks";
import { InboxPane } from "../inbox/inbox";
import { lazyPart } from "./lazy-parts/lazy-part";
import { onDemand } from "./lazy-parts/on-demand-part";
import { usePage } from "./page-context";
import { Announcer } from "../ui/announcer";
import { Nav } from "./nav";
import { useAutoAdvance } from "./auto-advance";
import { usePreferences } from "./preferences";
import { useOffers } from "../offers/current-offers";
import { go, type Route, useRoute } from "./route";
import { type KeyActions, useShortcuts } from "./shortcuts/shortcuts";
import { texts } from "../i18n/texts";
import { ToastPlace } from "../ui/toast";

/** From this width on, the card has its own column. */
const WIDE = "(min-width: 1180px)";
const FOREIGN = 4403;
const GOING_AWAY = 1001;

const ShortcutSheet = onDemand("ShortcutSheet");
const Offers = onDemand("Offers");
const ConsumerCard = onDemand("ConsumerCard");
const CallDock = lazyPart("call", () => import("../call/call-dock"));
const Wall = lazyPart("wall", () => import("../wall/wall"));
const SessionExpired = lazyPart("sign-in", () => import("../sign-in/session-expired"));
const Settings = lazyPart("settings", () => import("../settings/settings-page"));

interface WorkspaceProps {
  entered: (session: Session) => void;
  leave: () => void;
}

/** The page of a signed-in person: navigation, the current page, and offers above it. */
export function Workspace({ entered, leave }: WorkspaceProps): ReactElement {
  const { identity } = useWorkspace();
  const state = useSessionState();
  const route = useRoute();
  const { dialogs } = useWorkspace().ui;
  const { shortcutSheet, invitation } = useDialogState();
  const calls = invitation !== undefined
    || [...state.inbox.rows.values()].some(({ routing }) => routing?.call?.agent === state.me);
  useFreshContactCentre();
  useRecorderLifecycle();
  useAutoAdvance(route);
  useFocusOnNavigation(route);
  usePrefetchedParts();
  useFreshPermissions(entered);
  const [cardShown, toggleCard] = useCard(route);
  const ended = state.link === "stopped" && state.linkCode !== FOREIGN;
  return (
    <>
      {route.page === "inbox" && <Skips />}
      <div className="frame">
        <Nav route={route} />
        {route.page === "wall"
          ? (
            <main className="whole">
              <Wall path={route.path} />
            </main>
          )
          : route.page === "admin"
          ? (
            <main className="whole">
              <Settings path={route.path} />
            </main>
          )
          : (
            <Panes
              route={route}
              leave={leave}
              cardShown={cardShown}
              toggleCard={toggleCard}
              title={`${identity.account.name} · ${texts.product}`}
            />
          )}
      </div>
      <Title />
      <Offers />
      {calls && <CallDock />}
      <Dialogs />
      <Banner />
      <ToastPlace />
      <Announcer />
      <Shortcuts route={route} toggleCard={toggleCard} leave={leave} />
      {shortcutSheet && <ShortcutSheet close={() => dialogs.showShortcuts(false)} />}
      {ended && <SessionExpired entered={entered} />}
    </>
  );
}

/** Asks again what the person may do, once the connection is back: the server ends it when their profile changes. */
function useFreshPermissions(entered: (session: Session) => void): void {
  const { link, linkCode } = useSessionState();
  const stale = useRef(false);
  const latest = useLatest(entered);
  useEffect(() => {
    stale.current ||= linkCode === GOING_AWAY;
    if (link !== "online" || !stale.current) return;
    stale.current = false;
    void currentSession(request).then((answer) => answer.ok && latest.current(answer.value));
  }, [link, linkCode, latest]);
}

/** Whether the consumer's card is shown, and a function that shows or hides it. */
function useCard(route: Route): [boolean, () => void] {
  const state = useSessionState();
  const wide = useMedia(WIDE);
  const preferred = usePreferences().card;
  const { set: prefer } = usePage().preferences;
  const here = route.c !== undefined && state.threads.get(route.c)?.phase !== "gone";
  const cardShown = here && (wide ? preferred : route.card);
  const toggleCard = useCallback(() => {
    if (wide) prefer({ card: !preferred });
    else go({ ...route, card: !route.card });
  }, [wide, preferred, route, prefer]);
  return [cardShown, toggleCard];
}

interface PanesProps {
  route: Route;
  leave: () => void;
  cardShown: boolean;
  toggleCard: () => void;
  title: string;
}

/** Three panes; on a phone one at a time. */
function Panes({ route, leave, cardShown, toggleCard, title }: PanesProps): ReactElement {
  const [reading, setReading] = useState<string | undefined>();
  return (
    <main
      className="panes"
      data-pane={route.c === undefined ? "inbox" : route.card ? "card" : "conversation"}
      data-card={cardShown || undefined}
    >
      <h1 className="aloud">{title}</h1>
      <InboxPane route={route} leave={leave} reading={reading} />
      <ConversationPane route={route} cardShown={cardShown} toggleCard={toggleCard} reading={setReading} />
      {cardShown && <ConsumerCard route={route} close={toggleCard} />}
    </main>
  );
}

/** Renders nothing: a component of its own, so that ticking offers don't render the page again. */
function Shortcuts(actions: KeyActions): null {
  useShortcuts(actions);
  return null;
}

function Skips(): ReactElement {
  return (
    <>
      <a className="skip" href="#inbox" onClick={skipTo("inbox")}>{texts.skipToList}</a>
      <a className="skip" href="#conversation" onClick={skipTo("conversation")}>{texts.skipToConversation}</a>
    </>
  );
}

/** Fetches the dialogs once the page is idle, so that they open without delay, also offline. */
function usePrefetchedParts(): void {
  const { parts } = usePage();
  useEffect(() => {
    const timer = setTimeout(() => {
      ShortcutSheet.prefetch(parts);
      SessionExpired.prefetch(parts);
      prefetchDialogs(parts);
    }, PREFETCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [parts]);
}

const PREFETCH_AFTER_MS = 2000;

/** Puts the number of conversations that need attention, and the first offer, into the page's title. */
function Title(): null {
  const state = useSessionState();
  const looker = useViewer();
  const { identity } = useWorkspace();
  const count = attention(state.inbox, looker);
  const ringing = useOffers()[0];
  useEffect(() => {
    const first = ringing === undefined ? "" : `${texts.ring.title({ who: ringing.who })} · `;
    document.title = `${
      count > 0 ? `(${count}) ` : ""
    }${first}${texts.inbox.title} · ${identity.account.name} · ${texts.product}`;
  }, [count, identity, ringing]);
  return null;
}

/** A skip link must not change the URL's hash, because that is the route. */
function skipTo(id: string): (event: React.MouseEvent) => void {
  return (event) => {
    event.preventDefault();
    const target = id === "inbox"
      ? document.querySelector<HTMLElement>(".rows .row, .tab[aria-selected=true]")
      : document.getElementById(id);
    target?.focus();
  };
}
