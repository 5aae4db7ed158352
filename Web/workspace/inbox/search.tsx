import { useCallback, useEffect, useRef, useState, type FormEvent, type ReactElement } from "react";
import { search, type Filter, type Found } from "../../client/agent/agent-api";
import { HTTPProblem } from "../../client/core/api";
import { useCentre, useSession, useViewer, request } from "../app/session-context";
import { sectionOf } from "../../client/agent/inbox";
import { moment, stamp } from "../ui/format";
import { useLatest } from "../ui/hooks";
import { Icon } from "../ui/icons";
import { moveInList } from "./inbox";
import { announce } from "../ui/announcer";
import { address, type Route } from "../app/route";
import { InboxRowLink } from "./row";
import { strings } from "../i18n/strings";
import { SaveView } from "./saved-views";
import { words } from "../i18n/later-words";

const text = words.search;
const WAIT_MS = 250;
const DAY_MS = 86_400_000;

/** What was searched for last, and what came: still there when one comes back from a conversation. */
interface Held {
  readonly filter: Filter;
  readonly found: readonly Found[];
  readonly more: boolean;
  readonly state: "idle" | "busy" | "done" | "failed" | "forbidden";
}

let held: Held = { filter: {}, found: [], more: false, state: "idle" };

/** Begins a search from elsewhere: a saved view. */
export function searchFor(filter: Filter): void {
  held = { filter, found: [], more: false, state: "idle" };
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Everything that was ever said, by words and by filters; a result opens its conversation at the match. */
export default function SearchPanel({ route }: { route: Route }): ReactElement {
  const [now, set] = useSearch();
  const { filter, found, more, state } = now;
  const empty = Object.values(filter).every((value) => value === undefined || value === "");
  return (
    <>
      <Form filter={filter} change={(next) => set(next)} />
      <div className="inbox-list" id="inbox-list">
        <p className="search-said" role="status">
          {state === "busy" ? text.busy : state === "failed" ? text.failed : state === "forbidden" ? text.forbidden
            : empty ? text.start : found.length === 0 && state === "done" ? text.none : state === "done" ? text.results(`${found.length}${more ? "+" : ""}`) : ""}
        </p>
        <Results found={found} route={route} />
        {more && <button className="button search-more" onClick={() => set(filter, found[found.length - 1]?.row.p)}>{text.more}</button>}
      </div>
    </>
  );
}

function useSearch(): [Held, (filter: Filter, before?: number) => void] {
  const [now, show] = useState(held);
  const turn = useRef(0);
  const keep = useCallback((next: Held): void => { held = next; show(next); }, []);
  const set = useCallback((filter: Filter, before?: number): void => {
    const mine = ++turn.current;
    const had = before === undefined ? [] : held.found;
    keep({ ...held, filter, state: "busy" });
    setTimeout(() => {
      if (turn.current !== mine) return;
      search(request, filter, before).then(
        ({ found, more }) => {
          if (turn.current !== mine) return;
          keep({ filter, found: [...had, ...found], more, state: "done" });
          announce(found.length === 0 ? text.none : text.results(String(found.length)));
        },
        (error: unknown) => turn.current === mine && keep({ ...held, state: error instanceof HTTPProblem && error.status === 403 ? "forbidden" : "failed" }));
    }, before === undefined ? WAIT_MS : 0);
  }, [keep]);
  const again = useLatest(set);
  useEffect(() => {
    const changed = (): void => again.current(held.filter);
    listeners.add(changed);
    if (held.state === "idle" && Object.keys(held.filter).length > 0) changed();
    return () => void listeners.delete(changed);
  }, [again]);
  return [now, set];
}

function Form({ filter, change }: { filter: Filter; change: (filter: Filter) => void }): ReactElement {
  const [open, setOpen] = useState(() => Object.keys(filter).some((name) => name !== "q"));
  const { centre, agents } = useCentre();
  const put = (part: Filter): void => change(Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined && value !== "")) as Filter);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change(filter);
  };
  const choice = (label: string, value: string | undefined, options: readonly (readonly [string, string])[], chosen: (value: string) => void): ReactElement => (
    <label className="filter"><span>{label}</span>
      <select className="field" value={value ?? ""} onChange={(event) => chosen(event.target.value)}>
        <option value="">{text.any}</option>
        {options.map(([id, name]) => <option key={id} value={id}>{name}</option>)}
      </select>
    </label>
  );
  const date = (label: string, value: number | undefined, chosen: (at: number | undefined) => void): ReactElement => (
    <label className="filter"><span>{label}</span>
      <input className="field" type="date" value={value === undefined ? "" : isoDay(value)} onChange={(event) => chosen(event.target.value === "" ? undefined : new Date(`${event.target.value}T00:00`).getTime())} />
    </label>
  );
  return (
    <form className="search" role="search" onSubmit={submit}>
      <div className="search-line">
        <Icon name="search" />
        <input id="search" className="field" type="search" autoFocus value={filter.q ?? ""} onChange={(event) => put({ q: event.target.value })} placeholder={text.placeholder} aria-label={text.label} />
        <button type="button" className="icon-button" aria-expanded={open} aria-label={text.filters} title={text.filters} onClick={() => setOpen(!open)}><Icon name="filter" /></button>
      </div>
      {open && (
        <div className="filters">
          {choice(text.status, filter.status, (["waiting", "open", "closed"] as const).map((one) => [one, strings.inbox.status[one]]), (status) => put({ status }))}
          {choice(text.skill, filter.skill, (centre?.skills ?? []).map(({ id, name }) => [id, name]), (skill) => put({ skill }))}
          {choice(text.agent, filter.agent, agents.map(({ id, name }) => [id, name]), (agent) => put({ agent }))}
          {choice(text.tag, filter.tag, (centre?.tags ?? []).map((tag) => [tag, tag]), (tag) => put({ tag }))}
          {choice(text.csat, filter.csat === undefined ? undefined : String(filter.csat), [1, 2, 3, 4, 5].map((n) => [String(n), text.stars(n)]), (n) => change(withCSAT(filter, n)))}
          {date(text.from, filter.from, (from) => change(withDay(filter, "from", from)))}
          {date(text.to, filter.to === undefined ? undefined : filter.to - DAY_MS, (to) => change(withDay(filter, "to", to === undefined ? undefined : to + DAY_MS)))}
          <div className="filters-foot">
            <button type="button" className="link" onClick={() => change({})}>{text.clear}</button>
            <SaveView filter={filter} />
          </div>
        </div>
      )}
    </form>
  );
}

function withCSAT({ csat: _, ...rest }: Filter, n: string): Filter {
  return n === "" ? rest : { ...rest, csat: Number(n) };
}

function withDay(filter: Filter, which: "from" | "to", at: number | undefined): Filter {
  const { [which]: _, ...rest } = filter;
  return at === undefined ? rest : { ...rest, [which]: at };
}

function isoDay(at: number): string {
  const day = new Date(at);
  return `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}-${String(day.getDate()).padStart(2, "0")}`;
}

/** The results as rows of the inbox; what is open stays as fresh as the inbox is. */
function Results({ found, route }: { found: readonly Found[]; route: Route }): ReactElement {
  const { inbox, me } = useSession();
  const looker = useViewer();
  const now = Date.now();
  return (
    <ul className="rows" aria-label={text.list} onKeyDown={(event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      moveInList(step);
    }}>
      {found.map(({ row: asFound, match }, index) => {
        const row = inbox.rows.get(asFound.c) ?? asFound;
        const props = { row, now, me, route, current: row.c === route.c, section: sectionOf(row, looker.me, now), read: false, draft: false, preview: () => {} };
        return match === undefined
          ? <InboxRowLink key={row.c} {...props} stop={index === 0} />
          : (
            <li key={row.c} className="row-place" data-c={row.c}>
              <a className="row row-found" href={address({ tab: "search", c: row.c, card: false, at: match.n })} aria-current={props.current ? "true" : undefined} tabIndex={index === 0 ? 0 : -1}>
                <span className="row-main">
                  <span className="row-line"><span className="row-who" dir="auto">{row.who}</span><time className="row-time" title={moment(match.at)}>{stamp(match.at, now)}</time></span>
                  <span className="row-match" dir="auto">{match.text}</span>
                </span>
              </a>
            </li>
          );
      })}
    </ul>
  );
}
