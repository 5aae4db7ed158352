import { type ReactElement, useId } from "react";
import { useToast } from "../../app/page-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { Chips, TextField } from "../fields";
import { useBrand } from "../settings-context";
import { type App, type Brand, isInsecure, originOf } from "./brand-editor";
import { EmbedCheck, type SeenLoads } from "./embed-check";
import { LauncherFields } from "./launcher-fields";

const text = settingsTexts.brand;

interface Props {
  readonly app: App;
  readonly icons: Readonly<Record<string, string>>;
  readonly brand: Brand;
  readonly seen: SeenLoads;
}

/** An app: the line for the brand's pages, which websites may have it, its launcher, and whether all is right. */
export function AppFields({ app, icons, brand, seen }: Props): ReactElement {
  const { editor } = useBrand();
  return (
    <fieldset className="brand-app">
      <legend>{text.app({ id: app.id })}</legend>
      <EmbedLine app={app} brand={brand.id} />
      <p className="brand-origins">{text.origins}</p>
      <Chips
        label={`${text.origins}: ${app.id}`}
        add={text.addOrigin}
        values={app.origins}
        set={(origins) => editor.changeApp(app.id, { origins: [...new Set(origins.map(originOf))] })}
      />
      <p className="a-hint">{app.origins.length === 0 ? text.noOrigins : text.originsHint}</p>
      {app.origins.filter(isInsecure).map((origin) => (
        <p key={origin} className="brand-warning" role="status">{text.insecure({ origin })}</p>
      ))}
      <EmbedCheck app={app} seen={seen} />
      <LauncherFields app={app} icons={icons} color={brand.color} change={(patch) => editor.changeApp(app.id, patch)} />
      <TextField
        label={text.appName}
        hint={text.appNameHint}
        value={app.name}
        set={(name) => editor.changeApp(app.id, { name })}
      />
    </fieldset>
  );
}

/** The line of HTML, to be copied. */
function EmbedLine({ app, brand }: { app: App; brand: string }): ReactElement {
  const toast = useToast();
  const id = useId();
  const copy = (): void => {
    const done = navigator.clipboard?.writeText(app.line) ?? Promise.reject(new Error("no clipboard"));
    done.then(() => toast(text.copied), () => toast(text.copyFailed, true));
  };
  return (
    <div className="brand-line" role="group" aria-labelledby={id}>
      <p id={id} className="brand-origins">{text.line}</p>
      <code dir="ltr">{app.line}</code>
      <div>
        <button type="button" className="button" onClick={copy}>{text.copy}</button>
        <p className="a-hint">{text.lineHint({ brand, id: app.id })}</p>
      </div>
    </div>
  );
}
