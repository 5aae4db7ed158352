import type { CSSProperties, ReactElement } from "react";
import { brandColors } from "../../../tokens/brand";
import { settingsTexts } from "../../i18n/settings-texts";
import type { Brand } from "./brand-editor";

const text = settingsTexts.brand;

/** The widget's header and greeting, as a new consumer sees them. */
export function WidgetPreview({ brand: { name, color, welcome, logo } }: { brand: Brand }): ReactElement {
  const roles = brandColors(color);
  const style = roles && { "--brand": roles.brand, "--on-brand": roles.onBrand } as CSSProperties;
  return (
    <figure className="brand-preview" aria-label={text.preview}>
      <figcaption className="a-preview-label">{text.preview}</figcaption>
      <div className="brand-preview-frame" style={style}>
        <div className="brand-preview-head">
          <span className="brand-preview-letter" aria-hidden="true">
            {logo === "" ? [...name][0] ?? "" : <img src={logo} alt="" />}
          </span>
          <span className="brand-preview-words">
            <strong dir="auto">{name}</strong>
            <span>{text.previewStatus}</span>
          </span>
        </div>
        <div className="brand-preview-body">
          <strong dir="auto">{welcome === "" ? text.ownWelcome : welcome}</strong>
          {welcome === "" && <span>{text.ownHint}</span>}
        </div>
      </div>
    </figure>
  );
}
