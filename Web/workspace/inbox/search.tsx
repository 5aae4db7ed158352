import { type FormEvent, type ReactElement, useEffect, useState, useSyncExternalStore } from "react";
import { type Filter, listQuery } from "../../client/agent/agent-api";
import { may } from "../../client/agent/permissions";
import { download, DownloadRefused } from "../../voice/play/download";
import { useAnnounce, useToast } from "../app/page-context";
import { useCentre, useWorkspace } from "../app/session-context";
import { address, type Route } from "../app/route";
import { dialogTexts } from "../i18n/dialog-texts";
import { texts } from "../i18n/texts";
import { Choice, DateFilter, type Options } from "../ui/filter-fields";
import { Icon } from "../ui/icons";
import { useTagSuggestions } from "../conversation/card/tag-suggestions";
import { QuietPicture } from "../ui/pictures";
import { SaveView } from "./saved-views";
import { SearchResults } from "./search-results";
import type { SearchState } from "./search-state";

const text = dialogTexts.search;
const DAY_MS = 86_400_000;

/** The search, for people who may search. */
export default function SearchPanel({ route }: { route: Route }): ReactElement {
  return may(useWorkspace().identity, "history.search") ? <Search route={route} /> : <NoSearch />;
}

function NoSearch(): ReactElement {
  return (
    <div className="empty">
      <QuietPicture />
      <h3>{text.forbidden}</h3>
      <p>{text.forbiddenMore}</p>
      <a className="button" href={address({ tab: "waiting", c: undefined, card: false })}>{text.toInbox}</a>
    </div>
  );
}

/** Searches conversations by words and filters; a result opens its conversation at the match. */
function Search({ route }: { route: Route }): ReactElement {
  const { identity, ui: { search } } = useWorkspace();
  const state = useSyncExternalStore(search.store.subscribe, search.store.get);
  useSavedViewSearch(state);
  useResultAnnouncement(state);
  return (
    <>
      <SearchForm filter={state.filter} change={(filter) => search.run(filter)} />
      <div className="inbox-list" id="inbox-list">
        <div className="search-head">
          <p className="search-said" role="status">{statusText(state)}</p>
          {state.found.length > 0 && may(identity, "conversations.export") && <DownloadList filter={state.filter} />}
        </div>
        <SearchResults found={state.found} words={state.filter.q ?? ""} route={route} />
        {state.more && <button className="button search-more" onClick={() => search.more()}>{text.more}</button>}
      </div>
    </>
  );
}

/** Downloads all conversations that match, also those that are not shown yet. */
function DownloadList({ filter }: { filter: Filter }): ReactElement {
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const run = (): void => {
    setBusy(true);
    download(`/v1/search.csv?${listQuery(filter)}`).catch((error: unknown) => {
      const code = error instanceof DownloadRefused ? error.code : "";
      toast(code === "too_large" ? text.tooMany : code === "search_too_slow" ? text.slow : text.notListed, true);
    }).finally(() => setBusy(false));
  };
  return <button className="link" disabled={busy} onClick={run}>{busy ? text.listing : text.asList}</button>;
}

/** Runs the search of a saved view that was just chosen. */
function useSavedViewSearch({ phase, filter }: SearchState): void {
  const { search } = useWorkspace().ui;
  useEffect(() => {
    if (phase === "idle" && Object.keys(filter).length > 0) search.run(filter);
  }, [phase, filter, search]);
}

function useResultAnnouncement({ phase, found }: SearchState): void {
  const announce = useAnnounce();
  useEffect(() => {
    if (phase === "done") announce(found.length === 0 ? text.none : resultsText(found.length, false));
  }, [phase, found, announce]);
}

function statusText({ phase, filter, found, more }: SearchState): string {
  const empty = Object.values(filter).every((value) => value === undefined || value === "");
  switch (phase) {
    case "busy":
      return text.busy;
    case "failed":
      return text.failed;
    case "forbidden":
      return text.forbidden;
    case "slow":
      return text.slow;
    case "idle":
      return empty ? text.start : "";
    case "done": {
      if (empty) return text.start;
      return found.length === 0 ? text.none : resultsText(found.length, more);
    }
  }
}

function resultsText(count: number, more: boolean): string {
  return text.results({ count, shown: more ? `${count}+` : count });
}

interface FormProps {
  readonly filter: Filter;
  readonly change: (filter: Filter) => void;
}

function SearchForm({ filter, change }: FormProps): ReactElement {
  const [open, setOpen] = useState(() => Object.keys(filter).some((name) => name !== "q"));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change(filter);
  };
  return (
    <form className="search" role="search" onSubmit={submit}>
      <div className="search-line">
        <Icon name="search" />
        <input
          id="search"
          className="field"
          type="search"
          autoFocus
          value={filter.q ?? ""}
          onChange={(event) => change(withPart(filter, { q: event.target.value }))}
          placeholder={text.placeholder}
          aria-label={text.label}
        />
        <button
          type="button"
          className="icon-button"
          aria-expanded={open}
          aria-label={text.filters}
          title={text.filters}
          onClick={() => setOpen(!open)}
        >
          <Icon name="filter" />
        </button>
      </div>
      {open && <Filters filter={filter} change={change} />}
    </form>
  );
}

const STATUSES = ["waiting", "open", "closed"] as const;
const RATINGS = [1, 2, 3, 4, 5];

function Filters({ filter, change }: FormProps): ReactElement {
  const { centre, agents } = useCentre();
  const tags = useTagSuggestions();
  const put = (part: Filter): void => change(withPart(filter, part));
  const named = (list: readonly { id: string; name: string }[]): Options => list.map(({ id, name }) => [id, name]);
  const { status, skill, agent, tag, csat, from, to } = filter;
  return (
    <div className="filters">
      <Choice
        label={text.status}
        value={status}
        options={STATUSES.map((one) => [one, texts.inbox.status[one]])}
        choose={(value) => put({ status: value })}
      />
      <Choice
        label={text.skill}
        value={skill}
        options={named(centre?.skills ?? [])}
        choose={(value) => put({ skill: value })}
      />
      <Choice label={text.agent} value={agent} options={named(agents)} choose={(value) => put({ agent: value })} />
      <Choice
        label={text.tag}
        value={tag}
        options={[...new Set([...tags, ...tag === undefined ? [] : [tag]])].map((one) => [one, one])}
        choose={(value) => put({ tag: value })}
      />
      <Choice
        label={text.csat}
        value={csat === undefined ? undefined : String(csat)}
        options={RATINGS.map((n) => [String(n), text.stars({ n })])}
        choose={(value) => change(withRating(filter, value))}
      />
      <DateFilter label={text.from} value={from} choose={(at) => change(withDay(filter, "from", at))} />
      <DateFilter
        label={text.to}
        value={to === undefined ? undefined : to - DAY_MS}
        choose={(at) => change(withDay(filter, "to", at === undefined ? undefined : at + DAY_MS))}
      />
      <div className="filters-foot">
        <button type="button" className="link" onClick={() => change({})}>{text.clear}</button>
        <SaveView filter={filter} />
      </div>
    </div>
  );
}

function withPart(filter: Filter, part: Filter): Filter {
  const all = Object.entries({ ...filter, ...part });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== "")) as Filter;
}

function withRating({ csat: _, ...rest }: Filter, stars: string): Filter {
  return stars === "" ? rest : { ...rest, csat: Number(stars) };
}

function withDay(filter: Filter, which: "from" | "to", at: number | undefined): Filter {
  const { [which]: _, ...rest } = filter;
  return at === undefined ? rest : { ...rest, [which]: at };
}
