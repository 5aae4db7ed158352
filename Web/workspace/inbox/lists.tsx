import { type KeyboardEvent, type ReactElement, useState } from "react";
import type { Tab } from "../../client/agent/inbox";
import { may } from "../../client/agent/permissions";
import { useWorkspace } from "../app/session-context";
import { Icon } from "../ui/icons";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { Popover } from "../ui/popover";
import { address, go, type Route } from "../app/route";
import { texts } from "../i18n/texts";

const FIRST: readonly Tab[] = ["mine", "queue", "waiting", "all"];
const MORE: readonly Tab[] = ["mentions", "closed"];

const SavedViews = onDemand("SavedViews");

/** The tabs for the inbox's lists; further lists and saved views are in a menu. */
export function InboxTabs({ route, count }: { route: Route; count: Record<Tab, number> | undefined }): ReactElement {
  const chosen = route.tab as Tab;
  const tabs = FIRST.includes(chosen) ? FIRST : [...FIRST, chosen];
  return (
    <div className="lists">
      <div
        className="tabs"
        role="tablist"
        aria-label={texts.inbox.tabsLabel}
        onKeyDown={(event) => moveBetweenTabs(event, tabs, route)}
      >
        {tabs.map((tab) => (
          <button
            key={tab}
            role="tab"
            id={`tab-${tab}`}
            className="tab"
            aria-selected={tab === chosen}
            aria-controls="inbox-list"
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => go({ ...route, tab })}
          >
            {texts.tabs[tab]} <span className="count">{count?.[tab] ?? " "}</span>
          </button>
        ))}
      </div>
      <MoreLists route={route} count={count} />
    </div>
  );
}

function MoreLists({ route, count }: { route: Route; count: Record<Tab, number> | undefined }): ReactElement {
  const { identity } = useWorkspace();
  const [open, setOpen] = useState(false);
  const mentions = count?.mentions ?? 0;
  return (
    <Popover
      open={open}
      setOpen={setOpen}
      label={mentions > 0 ? `${texts.more}. ${texts.tabs.mentions}: ${mentions}` : texts.more}
      className="icon-button lists-more"
      button={
        <>
          <Icon name="filter" />
          {mentions > 0 && <span className="dot" />}
        </>
      }
    >
      {MORE.map((tab) => (
        <a
          key={tab}
          className="menu-item"
          href={address({ ...route, tab })}
          onClick={() => setOpen(false)}
          aria-current={tab === route.tab ? "page" : undefined}
        >
          <Icon name={tab === "mentions" ? "at" : "resolve"} />
          {texts.tabs[tab]}
          <span className="count">{count?.[tab] ?? ""}</span>
        </a>
      ))}
      {may(identity, "history.search") && <SavedViews chosen={() => setOpen(false)} />}
    </Popover>
  );
}

/** Moves between the tabs with the left and right arrow keys, in the direction of the script. */
function moveBetweenTabs(event: KeyboardEvent<HTMLElement>, tabs: readonly Tab[], route: Route): void {
  const forward = getComputedStyle(event.currentTarget).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const step = event.key === forward ? 1 : -1;
  const next = tabs[(tabs.indexOf(route.tab as Tab) + step + tabs.length) % tabs.length] ?? "waiting";
  go({ ...route, tab: next });
  document.getElementById(`tab-${next}`)?.focus();
}
