import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import { belongs, counts, listed, type Section, type Tab } from "../../client/agent/inbox";
import { useSessionState, useViewer, useWorkspace } from "../app/session-context";
import { PHONE, useLatest, useMedia } from "../ui/hooks";
import { useFirstSteps } from "../first-steps/use-first-steps";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { useAnnounce, usePage } from "../app/page-context";
import { InboxTabs } from "./lists";
import { UserMenu } from "../ui/user-menu/user-menu";
import { QuietPicture } from "../ui/pictures";
import { handleRowKeys } from "./list-keys";
import { PresenceBanner, PresenceButton } from "../offers/presence";
import type { Route } from "../app/route";
import { InboxRowLink } from "./row";
import { RowSkeletons } from "../ui/skeletons";
import { texts } from "../i18n/texts";
import { useTick } from "../app/clock";

const text = texts.inbox;

const FirstSteps = onDemand("FirstSteps");
const Preview = onDemand("Preview");
const SearchPanel = onDemand("SearchPanel");

/** How often rows are rendered again for the times they show. */
const BEAT_MS = 20_000;

/** The left pane: one of the inbox's lists, or the search. */
export function InboxPane(
  { route, leave, reading }: { route: Route; leave: () => void; reading: string | undefined },
): ReactElement {
  const { identity } = useWorkspace();
  return (
    <section className="inbox" id="inbox" aria-label={route.tab === "search" ? texts.nav.search : text.title}>
      <header className="bar inbox-bar">
        <div className="inbox-where">
          <h2>{route.tab === "search" ? texts.nav.search : text.title}</h2>
          <p className="inbox-account" dir="auto">{identity.account.name}</p>
        </div>
        <PresenceButton />
        <UserMenu leave={leave} route={route} />
      </header>
      <PresenceBanner />
      {route.tab === "search"
        ? <SearchPanel route={route} />
        : <InboxList tab={route.tab} route={route} reading={reading} />}
    </section>
  );
}

function InboxList({ tab, route, reading }: { tab: Tab; route: Route; reading: string | undefined }): ReactElement {
  const state = useSessionState();
  const looker = useViewer();
  const now = useTick();
  const beat = Math.floor(now / BEAT_MS) * BEAT_MS;
  const sections = listed(state.inbox, tab, looker, now);
  const { preferences } = usePage();
  const [preview, setPreview] = useState<string | undefined>();
  useArrivalAnnouncements();
  const isPhone = useMedia(PHONE);
  const steps = useFirstSteps() && isPhone;
  const [most, end] = useRowLimit(tab);
  const all = sections.flatMap(({ rows }) => rows);
  const shown = all.slice(0, most);
  const here = new Set(shown);
  const stop = shown.some(({ c }) => c === route.c) ? route.c : shown[0]?.c;
  return (
    <>
      <InboxTabs route={route} count={state.inbox.loaded ? counts(state.inbox, looker) : undefined} />
      <div className="inbox-list" id="inbox-list" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={-1}>
        {!state.inbox.loaded
          ? <RowSkeletons />
          : shown.length === 0
          ? !steps && <EmptyList tab={tab} />
          : (
            <div className="rows" onKeyDown={(event) => handleRowKeys(event, preferences.get().keys, setPreview)}>
              {sections.filter(({ rows }) => rows.some((row) => here.has(row))).map(({ section, rows }) => (
                <div key={section} className="section">
                  <SectionHeading section={section} count={rows.length} />
                  <ul aria-label={`${texts.tabs[tab]}: ${texts.sections[section]}`}>
                    {rows.filter((row) =>
                      here.has(row)
                    ).map((row) => (
                      <InboxRowLink
                        key={row.c}
                        row={row}
                        now={beat}
                        me={state.me}
                        route={route}
                        current={row.c === route.c}
                        section={section}
                        read={row.c === reading}
                        stop={row.c === stop}
                        draft={state.drafts.has(row.c)}
                        preview={setPreview}
                      />
                    ))}
                  </ul>
                </div>
              ))}
              {all.length > most && <p ref={end} className="rows-end" />}
            </div>
          )}
        {steps && <FirstSteps />}
      </div>
      {preview !== undefined && <Preview c={preview} tab={tab} close={() => setPreview(undefined)} />}
    </>
  );
}

/** How many rows are rendered, and how many more whenever the end of the list becomes visible. */
const STEP = 60;

function useRowLimit(tab: Tab): [number, (end: HTMLElement | null) => void] {
  const [most, setMost] = useState(STEP);
  const seen = useRef<IntersectionObserver>();
  useEffect(() => setMost(STEP), [tab]);
  const end = useCallback((element: HTMLElement | null) => {
    seen.current?.disconnect();
    if (element === null) return;
    seen.current = new IntersectionObserver((found) => {
      if (found.some(({ isIntersecting }) => isIntersecting)) setMost((before) => before + STEP);
    }, { rootMargin: "400px" });
    seen.current.observe(element);
  }, []);
  return [most, end];
}

function SectionHeading({ section, count }: { section: Section; count: number }): ReactElement {
  return (
    <h3 className="section-head" data-section={section}>
      {texts.sections[section]} <span className="count">{count}</span>
    </h3>
  );
}

function EmptyList({ tab }: { tab: Tab }): ReactElement {
  const [title, hint] = tab === "waiting" || tab === "mine" || tab === "all" ? text.empty[tab] : texts.empty[tab];
  return (
    <div className="empty">
      <QuietPicture />
      <h3>{title}</h3>
      <p>{hint}</p>
    </div>
  );
}

/** Announces new conversations in the person's queue. Offers are announced by alert-sound.ts. */
function useArrivalAnnouncements(): void {
  const { inbox, me } = useSessionState();
  const looker = useViewer();
  const announce = useAnnounce();
  const known = useRef<Set<string> | undefined>(undefined);
  const rows = useLatest(inbox.rows);
  useEffect(() => {
    if (!inbox.loaded) return;
    const waiting = new Set(
      [...rows.current.values()].filter((row) => belongs(row, "queue", looker)).map((row) => row.c),
    );
    const fresh = known.current === undefined ? [] : [...waiting].filter((c) => !known.current?.has(c));
    const silent = (c: string): boolean => rows.current.get(c)?.routing?.offer?.to.includes(me) === true;
    for (const c of fresh) if (!silent(c)) announce(text.fresh({ who: rows.current.get(c)?.who ?? "" }));
    known.current = waiting;
  }, [inbox, rows, looker, me, announce]);
}
