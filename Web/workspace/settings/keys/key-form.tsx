import { type FormEvent, type ReactElement, useState } from "react";
import { HTTPProblem } from "../../../client/core/api";
import { systemClock } from "../../../client/core/browser";
import { useToast } from "../../app/page-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { Dialog } from "../../ui/dialog";
import { DateFilter } from "../../ui/filter-fields";
import { ProblemProvider, SelectField, TextField, Toggle, useProblem } from "../fields";
import { useAsk } from "../settings-context";
import type { Problem } from "../validation";
import { EMPTY, endOf, type KeyWish, type Lifetime, LIFETIMES, newKeyOf, problemsOf, SCOPES } from "./api-key";

const text = settingsTexts.keys;

/** Makes an API key: asks for name, scopes and end, then shows the key once. */
export function KeyForm({ close, made }: { close: () => void; made: () => void }): ReactElement {
  const [shown, setShown] = useState<{ readonly name: string; readonly text: string } | undefined>();
  // A click beside the dialog must not lose a key that is shown once.
  return (
    <Dialog label={text.title} className="person-edit" {...(shown === undefined ? { close } : {})}>
      {shown === undefined
        ? <Fields close={close} done={(name, key) => (setShown({ name, text: key }), made())} />
        : <Shown {...shown} close={close} />}
    </Dialog>
  );
}

/** The new key, to be copied. */
function Shown(props: { name: string; text: string; close: () => void }): ReactElement {
  const toast = useToast();
  const copy = (): void => {
    const done = navigator.clipboard?.writeText(props.text) ?? Promise.reject(new Error("no clipboard"));
    done.then(() => toast(text.copied), () => toast(text.copyFailed, true));
  };
  return (
    <form onSubmit={props.close}>
      <h2 dir="auto">{text.done({ name: props.name })}</h2>
      <div className="shown-link" role="group" aria-label={text.key}>
        <p>{text.once}</p>
        <div>
          <input
            className="input api-key-text"
            readOnly
            aria-label={text.key}
            value={props.text}
            onFocus={(event) => event.target.select()}
          />
          <button type="button" className="button button-main" data-focus onClick={copy}>{text.copy}</button>
        </div>
      </div>
      <footer>
        <button type="button" className="button" onClick={props.close}>{text.close}</button>
      </footer>
    </form>
  );
}

function Fields({ close, done }: { close: () => void; done: (name: string, key: string) => void }): ReactElement {
  const ask = useAsk();
  const [wish, setWish] = useState<KeyWish>(EMPTY);
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [phase, setPhase] = useState<{ readonly busy: boolean; readonly refused?: string }>({ busy: false });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const now = systemClock.now();
    const wrong = problemsOf(wish, now);
    setProblems(wrong);
    if (wrong.length > 0) return event.currentTarget.querySelector<HTMLElement>("input.input")?.focus();
    setPhase({ busy: true });
    const name = wish.name.trim();
    ask("POST", "/v1/keys", { name, scopes: wish.scopes, expires: endOf(wish, now) }).then((json) => {
      const made = newKeyOf(json);
      if (made === undefined) setPhase({ busy: false, refused: "unavailable" });
      else done(name, made.text);
    }, (error: unknown) => setPhase({ busy: false, refused: error instanceof HTTPProblem ? error.code : "network" }));
  };
  return (
    <form onSubmit={submit} noValidate>
      <h2>{text.title}</h2>
      <ProblemProvider value={problems}>
        <WishFields wish={wish} put={(part) => setWish({ ...wish, ...part })} />
      </ProblemProvider>
      {phase.refused !== undefined && <p className="bad" role="alert">{text.refused[phase.refused] ?? text.other}</p>}
      <footer>
        <button type="button" className="button" onClick={close} disabled={phase.busy}>{text.cancel}</button>
        <button className="button button-main" disabled={phase.busy}>{phase.busy ? text.busy : text.submit}</button>
      </footer>
    </form>
  );
}

function WishFields({ wish, put }: { wish: KeyWish; put: (part: Partial<KeyWish>) => void }): ReactElement {
  const scope = useProblem("scopes");
  const day = useProblem("day");
  return (
    <>
      <TextField
        label={text.name}
        hint={text.nameHint}
        at="name"
        value={wish.name}
        set={(name) => put({ name })}
      />
      <fieldset className="radios">
        <legend>{text.scopes}</legend>
        {SCOPES.map((one) => (
          <Toggle
            key={one}
            label={text.scope[one]?.[0] ?? one}
            hint={text.scope[one]?.[1] ?? ""}
            value={wish.scopes.includes(one)}
            set={(on) => put({ scopes: SCOPES.filter((each) => (each === one ? on : wish.scopes.includes(each))) })}
          />
        ))}
        {scope !== undefined && <p className="bad" role="alert">{scope}</p>}
      </fieldset>
      <SelectField
        label={text.expires}
        value={wish.lifetime}
        set={(lifetime) => put({ lifetime: lifetime as Lifetime })}
        options={LIFETIMES.map((one) => [one, text.lifetime[one] ?? one])}
      />
      {wish.lifetime === "day" && (
        <DateFilter label={text.lastDay} value={wish.day} choose={(chosen) => put({ day: chosen })} />
      )}
      {day !== undefined && <p className="bad" role="alert">{day}</p>}
    </>
  );
}
