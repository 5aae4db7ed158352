// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import { useEffect, useMemo, useRef, useState, type ReactElement } from "react";
import { call } from "../../client/core/api";
import { proof } from "../../client/agent/sign-in";
import { request, useSession, usePlace } from "../app/session-context";
import { Icon } from "../ui/icons";
import { toast } from "../ui/toast";
import { Audit, History, isSection, VoiceForm } from "./account";
import { Automatic } from "./messages/automatic";
import { Book, type Ask, type Part } from "./settings-editor";
import { ProblemProvider } from "./fields";
import { Hours } from "./routing/hours";
import { CapacityForm, SilenceForm } from "./routing/capacity";
import { People } from "./people/people";
import { Rules } from "./routing/rules";
import { SaveBar } from "./save-bar";
import { AskProvider, BookProvider, OpenContext, useBook } from "./shared";
import { Skills } from "./routing/skills";
import { Canned, Survey, WrapUp } from "./messages/replies-and-survey";
import { admin } from "../i18n/settings-words";

const PAGES: Readonly<Record<string, () => ReactElement>> = {
  skills: Skills, people: People, hours: Hours, rules: Rules, capacity: CapacityForm, silence: SilenceForm, automatic: Automatic, canned: Canned,
  wrapUp: WrapUp, survey: Survey, voice: VoiceForm, history: History, audit: Audit,
};

/** How the contact centre is run: `#/admin`, with the section in `path`. */
export default function Admin({ path }: { path: readonly string[] }): ReactElement {
  const { session, csrf } = usePlace();
  const may = session.agent.permissions.includes("settings.change");
  const place = `earshot.admin.${session.account.id}.${session.agent.id}`;
  const ask = useMemo<Ask>(() => (method, url, body) => call(request, method, url, method === "GET" ? {} : proof(csrf()), body), [csrf]);
  const book = useMemo(() => new Book(ask, tabKeeper(place)), [ask, place]);
  const { centre, link } = useSession();
  useEffect(() => {
    if (may && link === "online") void (book.store.get().phase === "ready" ? book.played(centre) : book.load());
  }, [book, may, centre, link]);
  useEffect(() => {
    document.title = `${admin.title} · ${session.account.name}`;
  }, [session]);
  if (!may) return <Forbidden />;
  return (
    <AskProvider value={ask}>
      <BookProvider value={book}>
        <Frame page={path[0] !== undefined && path[0] in PAGES ? path[0] : "skills"} item={path[1]} />
      </BookProvider>
    </AskProvider>
  );
}

function Forbidden(): ReactElement {
  return (
    <section className="admin-face" id="page" tabIndex={-1} aria-label={admin.title}>
      <h1>{admin.forbidden}</h1><p>{admin.forbiddenMore}</p><a className="button" href="#/waiting">{admin.toInbox}</a>
    </section>
  );
}

function Frame({ page, item }: { page: string; item: string | undefined }): ReactElement {
  const { book, state } = useBook();
  const [open, setOpen] = useState(item);
  useLeaving();
  const [title, lead] = admin.sections[page] ?? ["", ""];
  const Page = PAGES[page] ?? Skills;
  const part = isSection(page) || page === "voice" ? (page as Part) : undefined;
  return (
    <section className="admin" id="page" tabIndex={-1} aria-label={admin.title}>
      <Contents page={page} />
      <div className="admin-page" key={page}>
        <header className="admin-head"><h2>{title}</h2><p>{lead}</p></header>
        {state.phase === "loading" ? <Bones />
          : state.phase === "failed" ? <p className="bad" role="alert">{admin.failed} <button className="button" onClick={() => void book.load()}>{admin.again}</button></p>
          : (
            <OpenContext.Provider value={[open, setOpen]}>
              <ProblemProvider value={part === undefined ? [] : book.problems(part)}><div className="admin-body"><Page key={page} /></div></ProblemProvider>
            </OpenContext.Provider>
          )}
        {part !== undefined && state.phase === "ready" && <SaveBar part={part} />}
      </div>
    </section>
  );
}

function Bones(): ReactElement {
  return <div className="admin-bones" role="status"><span className="aloud">{admin.loading}</span><i /><i /><i /></div>;
}

/** The sections, and which of them hold what is not saved. */
function Contents({ page }: { page: string }): ReactElement {
  const { state } = useBook();
  const nav = useRef<HTMLElement>(null);
  // Newer browsers answer scrolling by a promise, which is no way to end an effect.
  useEffect(() => void nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [page]);
  return (
    <nav className="admin-nav" aria-label={admin.nav} ref={nav}>
      <a className="only-phone" href="#/waiting" aria-label={admin.toInbox}><Icon name="back" flip /></a>
      <h1>{admin.title}</h1>
      {admin.groups.map(({ title, sections }) => (
        <div key={title} className="admin-group">
          <h2>{title}</h2>
          <ul>
            {sections.map((name) => {
              const dirty = state.drafts[name as Part] !== undefined;
              return (
                <li key={name}>
                  <a href={`#/admin/${name}`} aria-current={name === page ? "page" : undefined}>
                    {admin.sections[name]?.[0]}{dirty && <span className="dirty" role="img" aria-label={admin.save.dirty} title={admin.save.dirty} />}
                  </a>
                </li>
              );
            })}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Says on the way out that something is kept and not saved; the browser asks before the tab goes. */
function useLeaving(): void {
  const { book } = useBook();
  useEffect(() => {
    const unsaved = (): boolean => Object.keys(book.store.get().drafts).length > 0;
    const leaving = (event: BeforeUnloadEvent): void => {
      if (unsaved()) event.preventDefault();
    };
    addEventListener("beforeunload", leaving);
    return () => {
      removeEventListener("beforeunload", leaving);
      if (unsaved()) toast(admin.save.kept);
    };
  }, [book]);
}

function tabKeeper(place: string): { load: () => string | null; save: (text: string) => void } {
  return {
    load: () => {
      try {
        return sessionStorage.getItem(place);
      } catch {
        return null;
      }
    },
    save: (text) => {
      try {
        sessionStorage.setItem(place, text);
      } catch {
        // Where nothing can be kept, a reload forgets.
      }
    },
  };
}
