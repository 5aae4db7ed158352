import { type ReactElement, useEffect, useId } from "react";
import { useAnnounce } from "../../app/page-context";
import { settingsTexts } from "../../i18n/settings-texts";
import { Field, TextField } from "../fields";
import { useBrand } from "../settings-context";
import { AppFields } from "./app-fields";
import type { Brand } from "./brand-editor";
import { LogoField } from "./logo-field";
import { useLoads } from "./embed-check";
import { checkColor } from "./color-check";
import { WidgetPreview } from "./widget-preview";

const text = settingsTexts.brand;
const save = settingsTexts.save;

/** What consumers see of the brand, with a preview, and the pages that may embed the widget. */
export function BrandPage(): ReactElement {
  const { editor, state: { phase, draft } } = useBrand();
  useEffect(() => void editor.load(), [editor]);
  const seen = useLoads();
  if (phase === "failed") {
    return (
      <p className="bad" role="alert">
        {text.failed} <button className="button" onClick={() => void editor.load()}>{settingsTexts.again}</button>
      </p>
    );
  }
  if (draft === undefined) return <p className="a-hint" role="status">{settingsTexts.loading}</p>;
  const { brand, apps, icons } = draft;
  return (
    <div className="a-form">
      <div className="brand-look">
        <BrandFields brand={brand} change={(patch) => editor.change(patch)} />
        <WidgetPreview brand={brand} />
      </div>
      {apps.map((app) => <AppFields key={app.id} app={app} icons={icons} brand={brand} seen={seen} />)}
      {apps.length === 0 && <p className="a-empty">{text.noApps}</p>}
      <BrandSaveBar />
    </div>
  );
}

function BrandFields({ brand, change }: { brand: Brand; change: (patch: Partial<Brand>) => void }): ReactElement {
  return (
    <div className="a-form">
      <TextField label={text.name} hint={text.nameHint} value={brand.name} set={(name) => change({ name })} />
      <LogoField logo={brand.logo} set={(logo) => change({ logo })} />
      <ColorField value={brand.color} set={(color) => change({ color })} />
      <Field label={text.welcome} hint={text.welcomeHint}>
        {(of) => (
          <textarea
            {...of}
            className="input"
            dir="auto"
            rows={3}
            value={brand.welcome}
            onChange={(event) => change({ welcome: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}

/** A colour by picker or by `#rrggbb`, and whether text on it can be read. */
function ColorField({ value, set }: { value: string; set: (color: string) => void }): ReactElement {
  const told = useId();
  const check = checkColor(value);
  return (
    <>
      <Field label={text.color}>
        {(of) => (
          <div className="brand-color">
            <input
              type="color"
              aria-label={text.picker}
              value={check === undefined ? "#000000" : value.toLowerCase()}
              onChange={(event) => set(event.target.value)}
            />
            <input
              {...of}
              className="input"
              dir="ltr"
              value={value}
              spellCheck={false}
              autoComplete="off"
              aria-invalid={check === undefined || undefined}
              aria-describedby={told}
              onChange={(event) => set(event.target.value.trim())}
            />
          </div>
        )}
      </Field>
      <div id={told} role="status" className="brand-told">
        {check === undefined
          ? <p className="bad">{text.noColor}</p>
          : check.instead === undefined
          ? <p className="a-hint">{(check.isTextWhite ? text.white : text.dark)({ ratio: check.ratio })}</p>
          : <p className="bad">{text.hard({ ratio: check.ratio, color: check.instead })}</p>}
        {check?.ink !== undefined && <p className="a-hint">{text.ink({ color: check.ink })}</p>}
      </div>
    </>
  );
}

function BrandSaveBar(): ReactElement | null {
  const { editor, state: { draft, saving, refused } } = useBrand();
  const announce = useAnnounce();
  const name = settingsTexts.sections["brand"]?.[0] ?? "";
  if (!editor.isDirty) return null;
  const valid = draft !== undefined && checkColor(draft.brand.color) !== undefined;
  const store = (): void => void editor.save().then((done) => done && announce(save.saved({ name })));
  return (
    <div className="save" role="region" aria-label={save.unsaved({ name })}>
      {refused !== undefined && (
        <p className="bad" role="alert">
          {refused.code === "out_of_range" ? refused.text : save.refused[refused.code] ?? save.other}
        </p>
      )}
      <div className="save-row">
        <span className="save-what">{save.unsaved({ name })}</span>
        <button type="button" className="button" onClick={() => editor.discard()}>{save.discard}</button>
        <button type="button" className="button button-main" disabled={saving || !valid} onClick={store}>
          {saving ? save.saving : save.save}
        </button>
      </div>
    </div>
  );
}
