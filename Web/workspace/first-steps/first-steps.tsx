import { type ReactElement, type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { call } from "../../client/core/api";
import { isObject, list, number, string } from "../../client/core/parse";
import { proof } from "../../client/agent/sign-in";
import { request } from "../app/agent-session";
import { useAnnounce, usePage, useToast } from "../app/page-context";
import { type Preferences, usePreferences } from "../app/preferences";
import { useCentre, useSessionState, useWorkspace } from "../app/session-context";
import { dialogTexts } from "../i18n/dialog-texts";
import { useSetPresence } from "../offers/presence";
import { Icon } from "../ui/icons";
import { firstSteps, isOwnPage, needsSeat, type Step, tryAddress } from "./steps";

const text = dialogTexts.firstSteps;

/** What someone does first in a brand without conversations; each step notices that it is done. */
export default function FirstSteps(): ReactElement | null {
  const { identity: { agent, account } } = useWorkspace();
  const { standing, inbox } = useSessionState();
  const [shown, setSteps] = useSteps();
  useEffect(() => {
    if (shown === undefined) setSteps("shown");
  }, [shown, setSteps]);
  const app = useApp();
  const isOnOwnPage = useOwnPage();
  const people = usePeople();
  const hasConversation = inbox.rows.size > 0;
  const facts = { agent, standing, people, hasApp: app !== undefined, hasConversation, isOnOwnPage };
  const steps = firstSteps(facts);
  useDoneAnnouncements(steps);
  if (app === null) return null;
  const count = steps.filter(({ isDone }) => isDone).length;
  const isReady = count === steps.length;
  const hide = (): void => setSteps("hidden");
  return (
    <section className="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps" dir="auto">{isReady ? text.ready : text.title({ brand: account.name })}</h2>
      <p role="status">{isReady ? text.readyMore : text.progress({ count, of: steps.length })}</p>
      <ol>
        {steps.map((step, i) => (
          <StepItem key={step.name} step={step} number={i + 1}>
            {step.name === "online" && <GoOnline isSeatless={needsSeat(facts)} />}
            {step.name === "line" && app && <Snippet line={app.line} />}
            {step.name === "write" && app && (
              <a className="button" href={tryAddress(account.id, app.id)} target="_blank" rel="noreferrer">
                {text.write.act}
              </a>
            )}
            {step.name === "invite" && <a className="button" href="#/admin/people">{text.invite.act}</a>}
          </StepItem>
        ))}
      </ol>
      <button type="button" className={isReady ? "button button-main" : "link"} onClick={hide}>
        {isReady ? text.close : text.hide}
      </button>
    </section>
  );
}

function StepItem({ step, number, children }: { step: Step; number: number; children: ReactNode }): ReactElement {
  const { name, isDone } = step;
  const { title, hint } = text[name];
  return (
    <li className="first-step" data-step={name} data-done={isDone || undefined}>
      <span className="first-step-mark" aria-hidden="true">{isDone ? <Icon name="check" /> : number}</span>
      <div>
        <h3>
          {title}
          {isDone && <span className="aloud">{text.done}</span>}
        </h3>
        {!isDone && <p>{hint}</p>}
        {!isDone && children}
      </div>
    </li>
  );
}

/** Goes online. Someone without a skill gets all of them first: otherwise no conversation would come. */
function GoOnline({ isSeatless }: { isSeatless: boolean }): ReactElement {
  const { identity, csrf } = useWorkspace();
  const { link } = useSessionState();
  const present = useSetPresence();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const go = (): void => {
    setBusy(true);
    const seated = isSeatless ? takeSeat(identity.agent.id, proof(csrf())) : Promise.resolve();
    seated.then(() => present("online"), () => toast(text.online.failed, true)).finally(() => setBusy(false));
  };
  return (
    <button type="button" className="button button-main" disabled={busy || link !== "online"} onClick={go}>
      {text.online.act}
    </button>
  );
}

const CAPACITY = 3;

/** Gives the person a seat with every skill. */
async function takeSeat(agent: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const centre = await call(request, "GET", "/v1/centre", {});
  const skills = list(centre["skills"], (one) => (isObject(one) ? string(one["id"]) : undefined));
  const others = list(centre["people"], (one) => (isObject(one) && one["agent"] !== agent ? one : undefined));
  const value = [...others, { agent, skills, capacity: CAPACITY }];
  await call(request, "PUT", "/v1/centre/people", headers, { v: number(centre["v"]) ?? 0, value });
}

function Snippet({ line }: { line: string }): ReactElement {
  const toast = useToast();
  const copy = (): void => {
    const copied = navigator.clipboard?.writeText(line) ?? Promise.reject(new Error("no clipboard"));
    copied.then(() => toast(text.line.copied), () => toast(text.line.copyFailed, true));
  };
  return (
    <div className="first-step-line">
      <code dir="ltr" tabIndex={0}>{line}</code>
      <button type="button" className="button" onClick={copy}>{text.line.act}</button>
    </div>
  );
}

/** An app, with the line of HTML for the brand's pages as the server writes it. */
interface App {
  readonly id: string;
  readonly line: string;
}

function parseApp(v: unknown): App | undefined {
  const [id, line] = isObject(v) ? [string(v["id"]), string(v["line"])] : [];
  return id === undefined || line === undefined ? undefined : { id, line };
}

/** The brand's first app; `null` until it is known. */
function useApp(): App | undefined | null {
  const [app, setApp] = useState<App | undefined | null>(null);
  useEffect(() => {
    call(request, "GET", "/v1/brand", {}).then(
      (brand) => setApp(list(brand["apps"], parseApp)[0]),
      () => setApp(undefined),
    );
  }, []);
  return app;
}

/** How many people work for the brand, with those who are invited: only the list of people has these. */
function usePeople(): number {
  const { centre, session } = useWorkspace();
  const { team } = useSessionState();
  const { agents } = useCentre();
  useEffect(() => session.topics.subscribe("team"), [session]);
  useEffect(() => void centre.refresh(Infinity), [centre]);
  return Math.max(team?.length ?? 0, agents.filter(({ off }) => off !== true).length);
}

/** Whether one of the conversations that were opened came from a page of the brand's own. */
function useOwnPage(): boolean {
  const { threads } = useSessionState();
  const [steps, setSteps] = useSteps();
  const known = steps === "page";
  const seen = [...threads.values()].some(({ who }) => isOwnPage(who?.page, location.origin));
  useEffect(() => {
    if (seen && steps === "shown") setSteps("page");
  }, [seen, steps, setSteps]);
  return known || seen;
}

type Steps = Preferences["steps"][string] | undefined;

/** What this browser keeps about the steps of the account, and a function to change it. */
function useSteps(): [Steps, (steps: Exclude<Steps, undefined>) => void] {
  const { account: { id } } = useWorkspace().identity;
  const { preferences } = usePage();
  const set = useCallback(
    (steps: Exclude<Steps, undefined>) => preferences.set({ steps: { ...preferences.get().steps, [id]: steps } }),
    [preferences, id],
  );
  return [usePreferences().steps[id], set];
}

/** Announces a step when it is done. */
function useDoneAnnouncements(steps: readonly Step[]): void {
  const announce = useAnnounce();
  const before = useRef<ReadonlySet<string> | undefined>(undefined);
  const done = steps.filter(({ isDone }) => isDone).map(({ name }) => name);
  const key = done.join(" ");
  useEffect(() => {
    const now = key === "" ? [] : key.split(" ");
    const fresh = before.current === undefined ? [] : now.filter((name) => !before.current?.has(name));
    for (const name of fresh) announce(text.announce({ step: text[name as Step["name"]].title }));
    before.current = new Set(now);
  }, [key, announce]);
}
