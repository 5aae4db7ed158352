/** Turns the data of a catalogue into texts and functions that fill in values. Pure. */

/** The plural forms of a text. A language without a singular repeats `other` as `one`. */
type Plural = { readonly one: string; readonly other: string } & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;

type Values = Readonly<Record<string, string | number>>;

/** The names between braces in a text. */
type Names<Text extends string> = Text extends `${string}{{${infer Rest}` ? Names<AfterBraces<Rest>>
  : Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest>
  : never;
type AfterBraces<Rest extends string> = Rest extends `${string}}}${infer After}` ? After : "";

type Fill<Name extends string> = (values: { readonly [Key in Name]: string | number }) => string;

/** A catalogue in which each text with placeholders is a function of their values. */
export type Compiled<Data> = Data extends string ? ([Names<Data>] extends [never] ? Data : Fill<Names<Data>>)
  : Data extends Plural ? Fill<"count" | Names<Data[keyof Data & string] & string>>
  : { readonly [Key in keyof Data]: Compiled<Data[Key]> };

/** The language of the catalogue. */
const LANGUAGE = "en";

/** Compiles a part of the catalogue. */
export function compiled<Data extends object>(data: Data): Compiled<Data> {
  return compile(data, new Intl.PluralRules(LANGUAGE)) as Compiled<Data>;
}

function compile(data: unknown, rules: Intl.PluralRules): unknown {
  if (typeof data === "string") return compileText(data);
  if (Array.isArray(data)) return data.map((item) => compile(item, rules));
  if (isPlural(data)) {
    return (values: Values) => fill(data[rules.select(Number(values["count"]))] ?? data.other, values);
  }
  return Object.fromEntries(Object.entries(data as object).map(([key, value]) => [key, compile(value, rules)]));
}

function compileText(text: string): unknown {
  return /\{\w+\}/u.test(text.replace(/\{\{|\}\}/gu, "")) ? (values: Values) => fill(text, values) : fill(text, {});
}

function isPlural(data: unknown): data is Plural {
  return typeof data === "object" && data !== null && "other" in data && "one" in data;
}

function fill(text: string, values: Values): string {
  return text.replace(
    /\{\{|\}\}|\{(\w+)\}/gu,
    (match, name: string | undefined) => name === undefined ? match.charAt(0) : String(values[name] ?? match),
  );
}

/** The text called `name` in a table whose names come from the server; `undefined` for an unknown name. */
export function textFor(table: object, name: string): string | undefined {
  const text: unknown = Object.hasOwn(table, name) ? (table as Record<string, unknown>)[name] : undefined;
  return typeof text === "string" ? text : undefined;
}
