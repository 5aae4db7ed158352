// Everything that is on the page already stays one part: see later.tsx.
import "../app/app";
import { type ReactElement, useEffect, useMemo, useRef, useState } from "react";
import { call } from "../../client/core/api";
import { systemClock } from "../../client/core/browser";
import { proof } from "../../client/agent/sign-in";
import { request } from "../app/agent-session";
import { useSessionState, useWorkspace } from "../app/session-context";
import { Icon } from "../ui/icons";
import { useToast } from "../app/page-context";
import { History } from "./account/history";
import { Audit } from "./account/audit";
import { CallsForm } from "./account/calls-form";
import { PrivacyForm } from "./account/privacy-form";
import { SignInForm } from "./account/sign-in-form";
import { ApiKeys } from "./keys/keys";
import { Profiles } from "./profiles/profiles";
import { VoiceForm } from "./account/voice-form";
import { Automatic } from "./messages/automatic";
import { type Ask, type EditableSection, SettingsEditor } from "./settings-editor";
import { ProblemProvider } from "./fields";
import { Hours } from "./routing/hours";
import { CapacityForm, SilenceForm } from "./routing/capacity";
import { People } from "./people/people";
import { Rules } from "./routing/rules";
import { SaveBar } from "./save-bar";
import { BrandEditor } from "./brand/brand-editor";
import { BrandPage } from "./brand/brand";
import { AskProvider, BrandProvider, OpenContext, SettingsProvider, useBrand, useSettings } from "./settings-context";
import { isMessagePart, isSection } from "./settings-model";
import { sectionsFor, type SectionName } from "./sections/sections";
import { Skills } from "./routing/skills";
import { Canned } from "./messages/canned-replies";
import { Survey } from "./messages/survey";
import { WrapUp } from "./messages/wrap-up";
import { settingsTexts } from "../i18n/settings-texts";

const PAGES: Readonly<Record<SectionName, () => ReactElement>> = {
  skills: Skills,
  people: People,
  hours: Hours,
  rules: Rules,
  capacity: CapacityForm,
  silence: SilenceForm,
  automatic: Automatic,
  canned: Canned,
  wrapUp: WrapUp,
  survey: Survey,
  brand: BrandPage,
  voice: VoiceForm,
  signIn: SignInForm,
  calls: CallsForm,
  privacy: PrivacyForm,
  profiles: Profiles,
  keys: ApiKeys,
  history: History,
  audit: Audit,
};

/** The settings: `#/admin`, with the section in `path`. */
export default function SettingsPage({ path }: { path: readonly string[] }): ReactElement {
  const { identity, csrf } = useWorkspace();
  const sections = sectionsFor(identity);
  const [first] = sections;
  const place = `earshot.admin.${identity.account.id}.${identity.agent.id}`;
  const ask = useMemo<Ask>(
    () => (method, url, body) => call(request, method, url, method === "GET" ? {} : proof(csrf()), body),
    [csrf],
  );
  const book = useMemo(() => new SettingsEditor(ask, tabDraftStorage(place), systemClock), [ask, place]);
  const brand = useMemo(() => new BrandEditor(ask), [ask]);
  const { centre, link } = useSessionState();
  useEffect(() => {
    if (first === undefined || link !== "online") return;
    void (book.store.get().phase === "ready" ? book.loadVersion(centre) : book.load());
  }, [book, first, centre, link]);
  useEffect(() => {
    document.title = `${settingsTexts.title} · ${identity.account.name}`;
  }, [identity]);
  const page = Object.hasOwn(PAGES, path[0] ?? "") ? path[0] as SectionName : first;
  if (page === undefined || !sections.includes(page)) return <Forbidden others={first !== undefined} />;
  return (
    <AskProvider value={ask}>
      <SettingsProvider value={book}>
        <BrandProvider value={brand}>
          <SettingsFrame page={page} item={path[1]} />
        </BrandProvider>
      </SettingsProvider>
    </AskProvider>
  );
}

/** Shown in place of a section that the person may not see. `others`: they may see another one. */
function Forbidden({ others }: { others: boolean }): ReactElement {
  return (
    <section className="admin-face" id="page" tabIndex={-1} aria-label={settingsTexts.title}>
      <h1>{others ? settingsTexts.forbiddenSection : settingsTexts.forbidden}</h1>
      <p>{settingsTexts.forbiddenMore}</p>
      {others
        ? <a className="button" href="#/admin">{settingsTexts.toOthers}</a>
        : <a className="button" href="#/waiting">{settingsTexts.toInbox}</a>}
    </section>
  );
}

function SettingsFrame({ page, item }: { page: SectionName; item: string | undefined }): ReactElement {
  const { editor, state } = useSettings();
  const [open, setOpen] = useState(item);
  useUnsavedWarning();
  const [title, lead] = settingsTexts.sections[page] ?? ["", ""];
  const Page = PAGES[page];
  const part = isSection(page) || isMessagePart(page) ? (page as EditableSection) : undefined;
  return (
    <section className="admin" id="page" tabIndex={-1} aria-label={settingsTexts.title}>
      <SectionNav page={page} />
      <div className="admin-page" key={page}>
        <header className="admin-head">
          <h2>{title}</h2>
          <p>{lead}</p>
        </header>
        {state.phase === "loading" ? <SettingsSkeleton /> : state.phase === "failed"
          ? (
            <p className="bad" role="alert">
              {settingsTexts.failed}{" "}
              <button className="button" onClick={() => void editor.load()}>{settingsTexts.again}</button>
            </p>
          )
          : (
            <OpenContext.Provider value={[open, setOpen]}>
              <ProblemProvider value={part === undefined ? [] : editor.problems(part)}>
                <div className="admin-body">
                  <Page key={page} />
                </div>
              </ProblemProvider>
            </OpenContext.Provider>
          )}
        {part !== undefined && state.phase === "ready" && <SaveBar part={part} />}
      </div>
    </section>
  );
}

function SettingsSkeleton(): ReactElement {
  return (
    <div className="admin-bones" role="status">
      <span className="aloud">{settingsTexts.loading}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

/** The navigation between sections; marks those with unsaved changes. */
function SectionNav({ page }: { page: string }): ReactElement {
  const { state } = useSettings();
  const { editor: brand } = useBrand();
  const { identity } = useWorkspace();
  const shown: readonly string[] = sectionsFor(identity);
  const nav = useRef<HTMLElement>(null);
  // Newer browsers answer scrolling by a promise, which is no way to end an effect.
  useEffect(
    () => void nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }),
    [page],
  );
  return (
    <nav className="admin-nav" aria-label={settingsTexts.nav} ref={nav}>
      <a className="only-phone" href="#/waiting" aria-label={settingsTexts.toInbox}>
        <Icon name="back" flip />
      </a>
      <h1>{settingsTexts.title}</h1>
      {settingsTexts.groups.filter(({ sections }) => sections.some((name) => shown.includes(name))).map((group) => (
        <div key={group.title} className="admin-group">
          <h2>{group.title}</h2>
          <ul>
            {group.sections.map((name) => {
              if (!shown.includes(name)) return null;
              const dirty = name === "brand" ? brand.isDirty : state.drafts[name as EditableSection] !== undefined;
              return (
                <li key={name}>
                  <a href={`#/admin/${name}`} aria-current={name === page ? "page" : undefined}>
                    {settingsTexts.sections[name]?.[0]}
                    {dirty && (
                      <span
                        className="dirty"
                        role="img"
                        aria-label={settingsTexts.save.dirty}
                        title={settingsTexts.save.dirty}
                      />
                    )}
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

/** Warns about unsaved changes when the page is left or the tab is closed. */
function useUnsavedWarning(): void {
  const toast = useToast();
  const { editor } = useSettings();
  const { editor: brand } = useBrand();
  useEffect(() => {
    const unsaved = (): boolean => Object.keys(editor.store.get().drafts).length > 0;
    const leaving = (event: BeforeUnloadEvent): void => {
      if (unsaved() || brand.isDirty) event.preventDefault();
    };
    addEventListener("beforeunload", leaving);
    return () => {
      removeEventListener("beforeunload", leaving);
      if (unsaved()) toast(settingsTexts.save.kept);
    };
  }, [editor, brand, toast]);
}

function tabDraftStorage(place: string): { load: () => string | null; save: (text: string) => void } {
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
