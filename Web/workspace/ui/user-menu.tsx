import { type ReactElement, useState } from "react";
import { Avatar } from "./avatar";
import { useMyName, useWorkspace } from "../app/session-context";
import { Icon } from "./icons";
import { usePages } from "../app/nav";
import { Popover } from "./popover";
import { lazyPart } from "../app/lazy-parts/lazy-part";
import { onDemand } from "../app/lazy-parts/on-demand-part";
import { usePage } from "../app/page-context";
import { applyTheme, type Preferences, usePreferences } from "../app/preferences";
import type { Route } from "../app/route";
import { texts } from "../i18n/texts";

const text = texts.account;
const dialogs = {
  password: onDemand("PasswordDialog"),
  sessions: onDemand("SessionsDialog"),
  secondFactor: lazyPart("sign-in", () => import("../sign-in/second-factor/second-factor-dialog")),
};
const AlertSettings = onDemand("AlertSettings");
const themes: readonly Preferences["theme"][] = ["system", "light", "dark"];

/** Who I am, how it looks and sounds, and the way out. */
export function UserMenu({ leave, route }: { leave: () => void; route: Route }): ReactElement {
  const { identity, ui } = useWorkspace();
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<keyof typeof dialogs | undefined>();
  const name = useMyName();
  const { role } = identity.agent;
  const Shown = dialog && dialogs[dialog];
  return (
    <>
      {Shown && <Shown close={() => setDialog(undefined)} />}
      <Popover
        open={open}
        setOpen={setOpen}
        label={text.open({ name })}
        className="menu-button"
        button={<Avatar name={name} />}
      >
        <p className="menu-who">
          <strong dir="auto">{name}</strong>
          <span dir="auto">{`${texts.role[role] ?? role} · ${identity.account.name}`}</span>
        </p>
        <Themes />
        <AlertSettings />
        <PageLinks route={route} chosen={() => setOpen(false)} />
        <button
          className="menu-item"
          onClick={() => {
            setOpen(false);
            ui.dialogs.showShortcuts(true);
          }}
        >
          <Icon name="keyboard" />
          {text.shortcuts}
          <kbd>?</kbd>
        </button>
        {([["sessions", "eye"], ["password", "lock"], ["secondFactor", "check"]] as const).map(([name, icon]) => (
          <button
            key={name}
            className="menu-item"
            onClick={() => {
              setOpen(false);
              setDialog(name);
            }}
          >
            <Icon name={icon} />
            {text[name]}
          </button>
        ))}
        <button className="menu-item" onClick={leave}>
          <Icon name="leave" flip />
          {text.signOut}
        </button>
      </Popover>
    </>
  );
}

/** The pages, where the navigation bar is not shown. */
function PageLinks({ route, chosen }: { route: Route; chosen: () => void }): ReactElement {
  return (
    <>
      {usePages(route).map((page) => (
        <a key={page.name} className="menu-item only-phone-flex" href={page.href} onClick={chosen}>
          <Icon name={page.icon} />
          {texts.nav[page.name]}
        </a>
      ))}
    </>
  );
}

function Themes(): ReactElement {
  const { set: prefer } = usePage().preferences;
  const { theme } = usePreferences();
  const choose = (next: Preferences["theme"]): void => {
    prefer({ theme: next });
    applyTheme(next);
  };
  return (
    <fieldset className="themes">
      <legend>{text.theme}</legend>
      <div className="themes-choice">
        {themes.map((name) => (
          <label key={name}>
            <input type="radio" name="theme" value={name} checked={theme === name} onChange={() => choose(name)} />
            <span>{text.themes[name]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
