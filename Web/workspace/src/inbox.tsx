import { useEffect, useRef, useState, type KeyboardEvent, type ReactElement } from "react";
import { counts, listed, type Tab } from "../../client/agent-inbox";
import { useDesk, usePlace } from "./desk";
import { useLatest, useNow } from "./hooks";
import { announce } from "./live";
import { Menu } from "./menu";
import { Preview } from "./preview";
import { QuietPicture } from "./pictures";
import { preferences } from "./preferences";
import { go, type Route } from "./route";
import { InboxRowLink } from "./row";
import { RowSkeletons } from "./skeletons";
import { strings } from "./strings";

const tabs: readonly Tab[] = ["waiting", "mine", "all"];
const text = strings.inbox;

/** The list of conversations, with its three tabs. */
export function InboxPane({ route, leave, reading }: { route: Route; leave: () => void; reading: string | undefined }): ReactElement {
  const { session } = usePlace();
  const state = useDesk();
  const now = useNow();
  const rows = listed(state.inbox, route.tab, state.me);
  const count = counts(state.inbox, state.me);
  const [preview, setPreview] = useState<string | undefined>();
  useArrivals();

  return (
    <section className="inbox" id="inbox" aria-label={text.title}>
      <header className="bar inbox-bar">
        <div>
          <h2>{text.title}</h2>
          <p className="inbox-account" dir="auto">{`${session.account.name} · ${strings.role[session.agent.role] ?? session.agent.role}`}</p>
        </div>
        <Menu leave={leave} />
      </header>
      <div className="tabs" role="tablist" aria-label={text.tabsLabel} onKeyDown={(event) => alongTabs(event, route)}>
        {tabs.map((tab) => (
          <button
            key={tab} role="tab" id={`tab-${tab}`} className="tab" aria-selected={tab === route.tab} aria-controls="inbox-list"
            tabIndex={tab === route.tab ? 0 : -1} onClick={() => go({ ...route, tab })}
          >
            {text.tabs[tab]} <span className="count">{state.inbox.loaded ? count[tab] : " "}</span>
          </button>
        ))}
      </div>
      <div className="inbox-list" id="inbox-list" role="tabpanel" aria-labelledby={`tab-${route.tab}`} tabIndex={-1}>
        {!state.inbox.loaded ? <RowSkeletons /> : rows.length === 0 ? <Empty tab={route.tab} /> : (
          <ul className="rows" aria-label={text.list(text.tabs[route.tab])} onKeyDown={(event) => alongRows(event, setPreview)}>
            {rows.map((row, index) => (
              <InboxRowLink
                key={row.c} row={row} now={now} me={state.me} route={route} current={row.c === route.c}
                read={row.c === reading} stop={row.c === route.c || (index === 0 && !rows.some(({ c }) => c === route.c))}
                draft={state.drafts.has(row.c)} preview={setPreview}
              />
            ))}
          </ul>
        )}
      </div>
      {preview !== undefined && <Preview c={preview} tab={route.tab} close={() => setPreview(undefined)} />}
    </section>
  );
}

function Empty({ tab }: { tab: Tab }): ReactElement {
  const [title, hint] = text.empty[tab];
  return (
    <div className="empty">
      <QuietPicture />
      <h3>{title}</h3>
      <p>{hint}</p>
    </div>
  );
}

/** Left and right move between the tabs, as they do everywhere; which is left depends on the direction of the script. */
function alongTabs(event: KeyboardEvent<HTMLElement>, route: Route): void {
  const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const step = event.key === forward ? 1 : -1;
  const next = tabs[(tabs.indexOf(route.tab) + step + tabs.length) % tabs.length] ?? "waiting";
  go({ ...route, tab: next });
  document.getElementById(`tab-${next}`)?.focus();
}

function alongRows(event: KeyboardEvent<HTMLElement>, preview: (c: string) => void): void {
  const c = event.key === "p" && preferences().keys && !event.ctrlKey && !event.metaKey && !event.altKey ? focusedRow() : undefined;
  if (c !== undefined) {
    event.preventDefault();
    return preview(c);
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  moveInList(step);
}

/** The conversation of the row that has the focus. */
function focusedRow(): string | undefined {
  return document.activeElement?.closest<HTMLElement>(".row-place")?.dataset["c"];
}

/** Moves the focus to the next or previous row; from outside of the list, beginning at the open conversation. */
export function moveInList(step: 1 | -1 | number): void {
  const rows = [...document.querySelectorAll<HTMLElement>(".rows .row")];
  const focused = rows.findIndex((row) => row === document.activeElement);
  const current = rows.findIndex((row) => row.getAttribute("aria-current") === "true");
  const from = focused >= 0 ? focused : current >= 0 ? current : step > 0 ? -1 : rows.length;
  const next = rows[Math.min(rows.length - 1, Math.max(0, from + step))];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** Says aloud who has begun to wait. */
function useArrivals(): void {
  const { inbox } = useDesk();
  const known = useRef<Set<string> | undefined>(undefined);
  const rows = useLatest(inbox.rows);
  useEffect(() => {
    if (!inbox.loaded) return;
    const waiting = new Set([...rows.current.values()].filter((row) => row.status === "waiting").map((row) => row.c));
    const fresh = known.current === undefined ? [] : [...waiting].filter((c) => !known.current?.has(c));
    for (const c of fresh) announce(text.fresh(rows.current.get(c)?.who ?? ""));
    known.current = waiting;
  }, [inbox, rows]);
}
