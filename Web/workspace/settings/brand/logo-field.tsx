import { type ChangeEvent, type ReactElement, useId, useRef, useState } from "react";
import { settingsTexts } from "../../i18n/settings-texts";
import { logoOf } from "./logo-picture";

const text = settingsTexts.brand;

/** The logo: what it is, and buttons to choose another one and to remove it. */
export function LogoField({ logo, set }: { logo: string; set: (logo: string) => void }): ReactElement {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [failed, setFailed] = useState(false);
  const choose = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const { files } = event.currentTarget;
    const made = files?.[0] && await logoOf(files[0]);
    // The same file can be chosen again.
    if (input.current) input.current.value = "";
    setFailed(made === undefined);
    if (made !== undefined) set(made);
  };
  return (
    <div className="a-field" role="group" aria-labelledby={id} aria-describedby={`${id}h`}>
      <span id={id} className="brand-logo-label">{text.logo}</span>
      <div className="brand-logo">
        {logo !== "" && <img src={logo} alt={text.logoNow} width="44" height="44" />}
        <button type="button" className="button" onClick={() => input.current?.click()}>
          {logo === "" ? text.addLogo : text.changeLogo}
        </button>
        {logo !== "" && (
          <button type="button" className="button" onClick={() => set("")}>{text.removeLogo}</button>
        )}
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label={text.logoFile}
          onChange={(event) => void choose(event)}
        />
      </div>
      <p id={`${id}h`} className="a-hint">{text.logoHint}</p>
      {failed && <p className="bad" role="alert">{text.noPicture}</p>}
    </div>
  );
}
