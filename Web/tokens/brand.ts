/**
 * From a brand's one colour to the roles that the tokens want, each with enough contrast in both themes (WCAG 2.2 AA).
 */

export type RGB = readonly [number, number, number];

/** `#rgb` or `#rrggbb`; anything else is no colour. */
export function parseColor(text: string): RGB | undefined {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim())?.[1];
  if (!hex) return undefined;
  const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  const part = (at: number): number => parseInt(full.slice(at, at + 2), 16);
  return [part(0), part(2), part(4)];
}

export const formatColor = (color: RGB): string =>
  "#" + color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("");

/** WCAG 2 relative luminance. */
export function luminance(color: RGB): number {
  const [r, g, b] = color.map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as unknown as RGB;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2 contrast ratio, 1 to 21. */
export function contrast(a: RGB, b: RGB): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const mix = (a: RGB, b: RGB, share: number): RGB =>
  a.map((part, i) => part + ((b[i] ?? 0) - part) * share) as unknown as RGB;

/** The least contrast of text. */
export const AA_TEXT = 4.5;

const WHITE: RGB = [255, 255, 255];
const BLACK: RGB = [18, 22, 20];
/** Lighter by `share`: brighter first, so that the hue stays, and only then paler. 1 is white. */
const lighter = (color: RGB, share: number): RGB =>
  mix(color.map((part) => Math.min(255, part * (1 + 2 * share))) as unknown as RGB, WHITE, share * share);

/** The nearest colour to `color`, between it and `end`, that is readable on `surface`. */
function readable(color: RGB, surface: RGB, end: RGB): RGB {
  for (let share = 0; share < 1; share += 0.04) {
    const tried = end === WHITE ? lighter(color, share) : mix(color, end, share);
    if (contrast(tried, surface) >= AA_TEXT) return tried;
  }
  return end;
}

export interface BrandColors {
  readonly brand: string;
  readonly onBrand: string;
  /** The brand as text or waveform, on the light and on the dark surfaces. */
  readonly inkLight: string;
  readonly inkDark: string;
}

/** Roles for one brand colour; `undefined` when it is no colour, and the default stands. */
export function brandColors(text: string): BrandColors | undefined {
  const asked = parseColor(text);
  if (!asked) return undefined;
  const onBrand = contrast(asked, WHITE) >= AA_TEXT || contrast(asked, WHITE) >= contrast(asked, BLACK) ? WHITE : BLACK;
  const brand = readable(asked, onBrand, onBrand === WHITE ? BLACK : WHITE);
  return {
    brand: formatColor(brand),
    onBrand: formatColor(onBrand),
    inkLight: formatColor(readable(asked, LIGHTEST_TEXT_GROUND, BLACK)),
    inkDark: formatColor(readable(asked, DARKEST_TEXT_GROUND, WHITE)),
  };
}

/** The surfaces on which brand ink stands and that are hardest for it: sunken in light, hover in dark. */
const LIGHTEST_TEXT_GROUND: RGB = [233, 236, 232];
const DARKEST_TEXT_GROUND: RGB = [40, 49, 46];

/** Puts the roles on the root element; the tokens choose by theme. Set by CSSOM, which a strict CSP allows. */
export function applyBrand(root: HTMLElement, text: string): BrandColors | undefined {
  const colors = brandColors(text);
  if (!colors) return undefined;
  root.style.setProperty("--brand", colors.brand);
  root.style.setProperty("--on-brand", colors.onBrand);
  root.style.setProperty("--brand-ink-light", colors.inkLight);
  root.style.setProperty("--brand-ink-dark", colors.inkDark);
  return colors;
}
