import { useEffect, useRef, useState, type ReactElement } from "react";
import { Avatar } from "./avatar";
import { usePlace } from "./desk";
import { Icon } from "./icons";
import { applyTheme, prefer, usePreferences, type Preferences } from "./preferences";
import { showSheet } from "./shortcuts";
import { strings } from "./strings";

const text = strings.account;
const themes: readonly Preferences["theme"][] = ["system", "light", "dark"];

/** Who I am, how it looks, and the way out. */
export function Menu({ leave }: { leave: () => void }): ReactElement {
  const { session } = usePlace();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useOutside(box, open, () => setOpen(false));
  const { name, role } = session.agent;
  const key = (event: React.KeyboardEvent): void => {
    if (event.key !== "Escape" || !open) return;
    event.stopPropagation();
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div className="menu" ref={box} onKeyDown={key}>
      <button ref={button} className="menu-button" aria-expanded={open} aria-label={text.open(name)} onClick={() => setOpen(!open)}>
        <Avatar name={name} />
      </button>
      {open && (
        <div className="menu-panel">
          <p className="menu-who">
            <strong dir="auto">{name}</strong>
            <span dir="auto">{`${strings.role[role] ?? role} · ${session.account.name}`}</span>
          </p>
          <Themes />
          <button className="menu-item" onClick={() => { setOpen(false); showSheet(); }}><Icon name="keyboard" />{text.shortcuts}<kbd>?</kbd></button>
          <button className="menu-item" onClick={leave}><Icon name="leave" flip />{text.signOut}</button>
        </div>
      )}
    </div>
  );
}

function Themes(): ReactElement {
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

function useOutside(box: React.RefObject<HTMLElement>, open: boolean, close: () => void): void {
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event): void => {
      if (!box.current?.contains(event.target as Node)) close();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
    };
  });
}
