import { useCallback, useEffect, useState, type ReactElement } from "react";
import { attention } from "../../client/agent-inbox";
import type { Session } from "../../client/agent-session";
import { Banner } from "./banner";
import { useBoothLife } from "./booth";
import { CardPane } from "./card";
import { ConversationPane } from "./conversation";
import { useDesk, usePlace } from "./desk";
import { Dialog } from "./dialog";
import { useFocusFollows } from "./focus";
import { useMedia } from "./hooks";
import { Logo } from "./icons";
import { InboxPane } from "./inbox";
import { Announcer } from "./live";
import { prefer, usePreferences } from "./preferences";
import { go, useRoute } from "./route";
import { Sheet } from "./sheet";
import { useShortcuts } from "./shortcuts";
import { SignInForm } from "./signin-form";
import { strings } from "./strings";

/** From here on the card has a column of its own. */
const WIDE = "(min-width: 1180px)";
const FOREIGN = 4403;

interface WorkspaceProps {
  entered: (session: Session) => void;
  leave: () => void;
}

/** Three panes; on a phone one at a time. */
export function Workspace({ entered, leave }: WorkspaceProps): ReactElement {
  const { desk, session, booth } = usePlace();
  const state = useDesk();
  const route = useRoute();
  const wide = useMedia(WIDE);
  const preferred = usePreferences().card;
  const [sheet, setSheet] = useState(false);
  const [reading, setReading] = useState<string | undefined>();
  const here = route.c !== undefined && state.threads.get(route.c)?.phase !== "gone";
  const cardShown = here && (wide ? preferred : route.card);
  const toggleCard = useCallback(() => {
    if (wide) prefer({ card: !preferred });
    else go({ ...route, card: !route.card });
  }, [wide, preferred, route]);
  useTitle();
  useBoothLife(booth);
  useFocusFollows(route);
  useShortcuts({ route, desk, toggleCard, openSheet: () => setSheet(true), ...useVerbs(route.c) });
  const ended = state.link === "stopped" && state.linkCode !== FOREIGN;

  return (
    <>
      <a className="skip" href="#inbox" onClick={skipTo("inbox")}>{strings.skipToList}</a>
      <a className="skip" href="#conversation" onClick={skipTo("conversation")}>{strings.skipToConversation}</a>
      <main className="panes" data-pane={route.c === undefined ? "inbox" : route.card ? "card" : "conversation"} data-card={cardShown || undefined}>
        <h1 className="aloud">{`${session.account.name} · ${strings.product}`}</h1>
        <InboxPane route={route} leave={leave} reading={reading} />
        <ConversationPane route={route} cardShown={cardShown} toggleCard={toggleCard} reading={setReading} />
        {cardShown && <CardPane route={route} close={toggleCard} />}
      </main>
      <Banner />
      <Announcer />
      {sheet && <Sheet close={() => setSheet(false)} />}
      {ended && <Expired entered={entered} />}
    </>
  );
}

/** What the keys `t` and `e` do to the open conversation; nothing where it makes no sense. */
function useVerbs(c: string | undefined): { take: () => void; finish: () => void } {
  const { desk } = usePlace();
  const state = useDesk();
  const row = c === undefined ? undefined : state.inbox.rows.get(c);
  return {
    take: () => {
      if (c !== undefined && row?.status === "waiting") desk.take(c);
    },
    finish: () => {
      if (c !== undefined && row?.status === "open" && row.to === state.me) desk.finish(c);
    },
  };
}

/** The session is over; everything else is as it was. */
function Expired({ entered }: { entered: (session: Session) => void }): ReactElement {
  const { session } = usePlace();
  return (
    <Dialog label={strings.signIn.expiredTitle} className="expired">
      <div className="signin-brand"><Logo /><span>{strings.product}</span></div>
      <h2>{strings.signIn.expiredTitle}</h2>
      <p>{strings.signIn.expired}</p>
      <SignInForm entered={entered} />
      <p className="expired-note">{strings.signIn.otherPerson(session.agent.name)}</p>
    </Dialog>
  );
}

/** The number of conversations that want someone, in front of the title. */
function useTitle(): void {
  const state = useDesk();
  const { session } = usePlace();
  const count = attention(state.inbox, state.me);
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ""}${strings.inbox.title} · ${session.account.name} · ${strings.product}`;
  }, [count, session]);
}

/** A skip link must not change the address, for that is where the person is. */
function skipTo(id: string): (event: React.MouseEvent) => void {
  return (event) => {
    event.preventDefault();
    const target = id === "inbox" ? document.querySelector<HTMLElement>(".rows .row, .tab[aria-selected=true]") : document.getElementById(id);
    target?.focus();
  };
}
