import { useCallback, useEffect, useState, type ReactElement } from "react";
import { attention } from "../../client/agent/inbox";
import type { Session } from "../../client/agent/sign-in";
import { Banner } from "./banner";
import { useBoothLife } from "../composer/recorders";
import { CardPane } from "../conversation/consumer-card";
import { ConversationPane } from "../conversation/conversation";
import { useCentreLife, useSession, useViewer, usePlace } from "./session-context";
import { Dialogs, prepareDialogs } from "../actions/dialogs";
import { useFocusFollows } from "../ui/focus";
import { useMedia } from "../ui/hooks";
import { InboxPane } from "../inbox/inbox";
import { later, parts } from "./lazy-part";
import { Announcer } from "../ui/announcer";
import { Nav } from "./nav";
import { useNext } from "./auto-advance";
import { prefer, usePreferences } from "./preferences";
import { Rings, useRinging } from "../offers/offers";
import { go, useRoute, type Route } from "./route";
import { useShortcuts, type KeyActions } from "./shortcuts";
import { strings } from "../i18n/strings";
import { Toasts } from "../ui/toast";
import { words } from "../i18n/contact-centre-words";

/** From here on the card has a column of its own. */
const WIDE = "(min-width: 1180px)";
const FOREIGN = 4403;

const Sheet = later("actions", async () => ({ default: (await parts()).Sheet }));
const Wall = later("wall", () => import("../wall/wall"));
const Expired = later("sign-in", () => import("../sign-in/session-expired"));
const Admin = later("settings", () => import("../settings/settings-page"));

interface WorkspaceProps {
  entered: (session: Session) => void;
  leave: () => void;
}

/** The page of somebody who is signed in: the way between the pages, and over each of them what rings. */
export function Workspace({ entered, leave }: WorkspaceProps): ReactElement {
  const { session } = usePlace();
  const state = useSession();
  const route = useRoute();
  const [sheet, setSheet] = useState(false);
  useCentreLife();
  useBoothLife();
  useNext(route);
  useFocusFollows(route);
  usePrepared();
  const [cardShown, toggleCard] = useCard(route);
  const ended = state.link === "stopped" && state.linkCode !== FOREIGN;
  return (
    <>
      {route.page === "inbox" && <Skips />}
      <div className="frame">
        <Nav route={route} />
        {route.page === "wall" ? <main className="whole"><Wall path={route.path} /></main>
          : route.page === "admin" ? <main className="whole"><Admin path={route.path} /></main>
          : <Panes route={route} leave={leave} cardShown={cardShown} toggleCard={toggleCard} title={`${session.account.name} · ${strings.product}`} />}
      </div>
      <Title />
      <Rings />
      <Dialogs />
      <Banner />
      <Toasts />
      <Announcer />
      <Shortcuts route={route} toggleCard={toggleCard} openSheet={() => setSheet(true)} leave={leave} />
      {sheet && <Sheet close={() => setSheet(false)} />}
      {ended && <Expired entered={entered} />}
    </>
  );
}

/** Whether the consumer's card is shown, and the way to show or hide it. */
function useCard(route: Route): [boolean, () => void] {
  const state = useSession();
  const wide = useMedia(WIDE);
  const preferred = usePreferences().card;
  const here = route.c !== undefined && state.threads.get(route.c)?.phase !== "gone";
  const cardShown = here && (wide ? preferred : route.card);
  const toggleCard = useCallback(() => {
    if (wide) prefer({ card: !preferred });
    else go({ ...route, card: !route.card });
  }, [wide, preferred, route]);
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
    <main className="panes" data-pane={route.c === undefined ? "inbox" : route.card ? "card" : "conversation"} data-card={cardShown || undefined}>
      <h1 className="aloud">{title}</h1>
      <InboxPane route={route} leave={leave} reading={reading} />
      <ConversationPane route={route} cardShown={cardShown} toggleCard={toggleCard} reading={setReading} />
      {cardShown && <CardPane route={route} close={toggleCard} />}
    </main>
  );
}

/** Nothing to see: it only listens, so that what counts down here draws nothing else again. */
function Shortcuts(actions: KeyActions): null {
  useShortcuts(actions);
  return null;
}

function Skips(): ReactElement {
  return (
    <>
      <a className="skip" href="#inbox" onClick={skipTo("inbox")}>{strings.skipToList}</a>
      <a className="skip" href="#conversation" onClick={skipTo("conversation")}>{strings.skipToConversation}</a>
    </>
  );
}

/** The dialogs are fetched once the page has nothing else to do, so that they open at once, and without a connection too. */
function usePrepared(): void {
  useEffect(() => {
    const timer = setTimeout(prepare, PREPARE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}

function prepare(): void {
  Sheet.prepare();
  Expired.prepare();
  prepareDialogs();
}

const PREPARE_AFTER_MS = 2000;

/** The number of conversations that want someone, in front of the title; and first of all what rings. */
function Title(): null {
  const state = useSession();
  const looker = useViewer();
  const { session } = usePlace();
  const count = attention(state.inbox, looker);
  const ringing = useRinging()[0];
  useEffect(() => {
    const first = ringing === undefined ? "" : `${words.ring.title(ringing.who)} · `;
    document.title = `${count > 0 ? `(${count}) ` : ""}${first}${strings.inbox.title} · ${session.account.name} · ${strings.product}`;
  }, [count, session, ringing]);
  return null;
}

/** A skip link must not change the address, for that is where the person is. */
function skipTo(id: string): (event: React.MouseEvent) => void {
  return (event) => {
    event.preventDefault();
    const target = id === "inbox" ? document.querySelector<HTMLElement>(".rows .row, .tab[aria-selected=true]") : document.getElementById(id);
    target?.focus();
  };
}
