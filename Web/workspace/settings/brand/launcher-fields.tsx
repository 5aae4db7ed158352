import type { CSSProperties, ReactElement } from "react";
import { brandColors } from "../../../tokens/brand";
import { settingsTexts } from "../../i18n/settings-texts";
import { Radios, TextField } from "../fields";
import type { App } from "./brand-editor";

const text = settingsTexts.brand;

interface Props {
  readonly app: App;
  readonly icons: Readonly<Record<string, string>>;
  readonly color: string;
  readonly change: (patch: Partial<App>) => void;
}

/** How the launcher of an app looks, with a preview. */
export function LauncherFields({ app, icons, color, change }: Props): ReactElement {
  const { side, icon, label } = app;
  return (
    <div className="brand-launcher">
      <p className="brand-origins">{text.launcher}</p>
      <div className="brand-launcher-choices">
        <Radios
          label={text.side}
          value={side}
          options={Object.entries(text.sides).map(([one, title]) => [one, title] as const)}
          set={(side) => change({ side })}
        />
        <Radios
          label={text.icon}
          value={icon}
          options={Object.keys(icons).map((one) => [one, text.icons[one] ?? one] as const)}
          set={(icon) => change({ icon })}
        />
        <LauncherPreview side={side} shape={icons[icon] ?? ""} color={color} />
      </div>
      <TextField label={text.label} hint={text.labelHint} value={label} set={(label) => change({ label })} />
    </div>
  );
}

function LauncherPreview({ side, shape, color }: { side: string; shape: string; color: string }): ReactElement {
  const roles = brandColors(color);
  const style = roles && { "--brand": roles.brand, "--on-brand": roles.onBrand } as CSSProperties;
  return (
    <figure className="brand-launcher-page" data-side={side} style={style} aria-label={text.launcherPreview}>
      <span className="brand-launcher-button">
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d={shape} /></svg>
      </span>
    </figure>
  );
}
