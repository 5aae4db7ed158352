import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { useToast } from "../../app/page-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { TextField } from "../fields";
import { useAsk, useBrand } from "../settings-context";
import type { App } from "./brand-editor";
import { ageOf, type EmbedLoad, loadsOf, pageOf, parseLoads } from "./embed-loads";

const text = settingsTexts.brand;
/** How often the server is asked what it saw. */
const LOOK_EVERY_MS = 2000;
/** The most pages that are shown. */
const MOST = 6;

/** Shows what the server saw of the pages that embed an app, and says what is wrong with them. */
export function EmbedCheck({ app, seen }: { app: App; seen: SeenLoads }): ReactElement {
  const [typed, setTyped] = useState(app.origins[0] ?? "");
  const [watched, setWatched] = useState<string | undefined>();
  const { failed } = seen;
  const loads = loadsOf(app.id, seen.loads, MOST);
  const page = pageOf(typed.trim());
  const open = (event: FormEvent): void => {
    event.preventDefault();
    if (page === undefined) return;
    setWatched(page.origin);
    window.open(page.href, "_blank", "noopener");
  };
  const isWaiting = watched !== undefined && !loads.some(({ origin }) => origin === watched);
  return (
    <div className="brand-check" role="group" aria-label={text.check}>
      <p className="brand-origins">{text.check}</p>
      <p className="a-hint">{text.checkHint}</p>
      <form onSubmit={open}>
        <TextField label={text.address} value={typed} set={setTyped} />
        <button type="submit" className="button" disabled={page === undefined}>{text.open}</button>
      </form>
      <div role="status">
        {failed && <p className="bad">{text.checkFailed}</p>}
        {isWaiting && <p>{text.waiting({ origin: watched })}</p>}
        {loads.length === 0 && !isWaiting && !failed && <p className="a-hint">{text.noLoads}</p>}
      </div>
      {loads.length > 0 && (
        <ul aria-label={text.loads}>
          {loads.map((load) => <Load key={load.origin} load={load} app={app} />)}
        </ul>
      )}
    </div>
  );
}

function Load({ load, app }: { load: EmbedLoad; app: App }): ReactElement {
  const { editor, state: { saved } } = useBrand();
  const toast = useToast();
  const [unit, count] = ageOf(load.seconds);
  const { origin } = load;
  const isAllowed = saved?.apps.find(({ id }) => id === app.id)?.origins.includes(origin) === true;
  const canAllow = load.code === "origin_refused" && !isAllowed;
  const allow = (): void => {
    void editor.allow(app.id, origin).then((done) => done || toast(text.allowFailed, true));
  };
  return (
    <li data-bad={load.code !== undefined && !(load.code === "origin_refused" && isAllowed) || undefined}>
      <span>{sentence(load, isAllowed)}</span>
      <small>{text.age[unit]({ count })}</small>
      {canAllow && <button type="button" className="button" onClick={allow}>{text.allow}</button>}
    </li>
  );
}

function sentence({ origin, app, part, code, text: reason }: EmbedLoad, isAllowed: boolean): string {
  if (code === undefined) return part === "widget" ? text.loadedWidget({ origin }) : text.loadedScript({ origin });
  if (code === "not_found") return text.refusedApp({ origin, app });
  if (code !== "origin_refused") return `${origin}: ${reason}`;
  return isAllowed ? text.allowed({ origin }) : text.refusedOrigin({ origin });
}

/** What the server saw, and whether it does not answer now. */
export interface SeenLoads {
  readonly loads: readonly EmbedLoad[];
  readonly failed: boolean;
}

/** The loads of all apps, asked for again and again as long as they are shown. */
export function useLoads(): SeenLoads {
  const ask = useAsk();
  const [state, setState] = useState<SeenLoads>({ loads: [], failed: false });
  useEffect(() => {
    let gone = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async (): Promise<void> => {
      try {
        const loads = parseLoads(await ask("GET", "/v1/brand/embeds"));
        if (!gone) setState({ loads, failed: false });
      } catch {
        if (!gone) setState((before) => ({ ...before, failed: true }));
      }
      if (!gone) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    void look();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [ask]);
  return state;
}
