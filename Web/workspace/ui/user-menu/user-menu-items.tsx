import { type ReactElement } from "react";
import { useMyName, useWorkspace } from "../../app/session-context";
import { usePages } from "../../app/nav";
import { usePage } from "../../app/page-context";
import { applyTheme, type Preferences, usePreferences } from "../../app/preferences";
import type { Route } from "../../app/route";
import { texts } from "../../i18n/texts";
import AlertSettings from "../../offers/alert-settings";
import { Icon } from "../icons";
import type { AccountDialog } from "./user-menu";

const text = texts.account;
const themes: readonly Preferences["theme"][] = ["system", "light", "dark"];

interface ItemsProps {
  readonly route: Route;
  readonly leave: () => void;
  readonly close: () => void;
  readonly show: (dialog: AccountDialog) => void;
}

/** What the menu of the signed-in person offers. */
export default function UserMenuItems({ route, leave, close, show }: ItemsProps): ReactElement {
  const { identity, ui } = useWorkspace();
  const name = useMyName();
  const { role } = identity.agent;
  return (
    <>
      <p className="menu-who">
        <strong dir="auto">{name}</strong>
        <span dir="auto">{`${texts.role[role] ?? role} · ${identity.account.name}`}</span>
      </p>
      <Themes />
      <AlertSettings />
      <PageLinks route={route} chosen={close} />
      <button
        className="menu-item"
        onClick={() => {
          close();
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
            close();
            show(name);
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
