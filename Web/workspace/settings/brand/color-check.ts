/** What the widget makes of a brand's colour, and whether text on it can be read. */
import { AA_TEXT, brandColors, contrast, parseColor } from "../../../tokens/brand";

/** What a manager is told about a colour. */
export interface ColorCheck {
  /** The contrast of the text on the colour, 1 to 21, rounded down to one decimal: never better than it is. */
  readonly ratio: number;
  /** Whether the text on the colour is white; otherwise it is dark. */
  readonly isTextWhite: boolean;
  /** The nearest colour on which text can be read; the widget shows this one. `undefined` where the colour is fine. */
  readonly instead: string | undefined;
  /** The darker shade for text on light backgrounds. `undefined` where the colour itself can be read there. */
  readonly ink: string | undefined;
}

/** Checks a colour; `undefined` where the text is no colour that the server takes. */
export function checkColor(text: string): ColorCheck | undefined {
  const asked = /^#[0-9a-f]{6}$/iu.test(text) ? parseColor(text) : undefined;
  const roles = brandColors(text);
  const onBrand = roles && parseColor(roles.onBrand);
  if (asked === undefined || roles === undefined || onBrand === undefined) return undefined;
  const exact = contrast(asked, onBrand);
  const differs = (color: string): string | undefined => color === text.toLowerCase() ? undefined : color;
  return {
    ratio: Math.floor(exact * 10) / 10,
    isTextWhite: roles.onBrand === "#ffffff",
    instead: exact >= AA_TEXT ? undefined : roles.brand,
    ink: differs(roles.inkLight),
  };
}
