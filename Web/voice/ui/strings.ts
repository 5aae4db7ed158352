/**
 * Texts with placeholders and plurals. A catalogue is plain data: a translation replaces its values, and nothing else.
 */

/** A text in the plural forms of its language (CLDR categories). `{count}` is the number. */
export type Plural = { readonly [Form in Intl.LDMLPluralRule]?: string } & { readonly other: string };

/** Fills the placeholders of a text: `{name}` becomes `values.name`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The form of a text for `count`, by the plural rules of `language`. */
export function plural(forms: Plural, count: number, language: string): string {
  return fill(forms[new Intl.PluralRules(language).select(count)] ?? forms.other, { count });
}
