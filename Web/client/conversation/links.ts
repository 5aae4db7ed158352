/**
 * Finds what can be followed in a text: web addresses, mail addresses and phone numbers. Every front end uses these
 * rules.
 *
 * Each pattern is bounded or consumes what it read, so the time grows with the length of the text.
 */

/** A piece of a text. The pieces together are the text. */
export interface TextPart {
  readonly text: string;
  /** Where the piece leads: http, https, mailto or tel. Omitted where it is no link. */
  readonly href?: string;
  /** The host that a browser would go to, where the text shows another one: look-alike letters, odd numbers. */
  readonly host?: string;
}

/** Longer web addresses are no links. */
export const LINK_CHARACTERS = 2048;

/** What ends an address: white space, quotation marks, brackets of markup, characters that are not seen. */
const CANDIDATE = new RegExp(
  [
    String.raw`(?:https?:\/\/|www\.)[^\s<>"\\\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff“”„«»。，、！？；：]+`,
    String.raw`[\w.+'-]{1,64}@(?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24}`,
    String.raw`\+[1-9](?:[ \u00a0().\/-]{0,2}\d){7,17}`,
    // Without a gap after the country it may be an order number.
    String.raw`00[1-9]\d{0,2}[ \u00a0(\/-]{1,2}\d(?:[ \u00a0().\/-]{0,2}\d){5,14}`,
    String.raw`\((?:0\d{1,4}|[2-9]\d\d)\)[ \u00a0-]?\d(?:[ \u00a0.\/-]?\d){5,9}`,
    String.raw`[2-9]\d\d([.-])\d{3}\1\d{4}`,
  ].join("|"),
  "gi",
);
/** What is masked in a text (a card number) is never part of a link. */
const MASK = "•";

/** The parts of a text in their order. */
export function splitLinks(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let plain = 0;
  for (const match of text.matchAll(CANDIDATE)) {
    const [found = ""] = match;
    const from = match.index ?? 0;
    const end = from + found.length;
    const link = linkOf(found, text.slice(Math.max(0, from - 2), from), text.slice(end, end + 2));
    if (link === undefined) continue;
    if (from > plain) parts.push({ text: text.slice(plain, from) });
    parts.push(link);
    plain = from + link.text.length;
  }
  if (plain < text.length) parts.push({ text: text.slice(plain) });
  return parts;
}

/** What the characters around it allow: an address or a number is no link in the middle of another one. */
function linkOf(found: string, before: string, after: string): TextPart | undefined {
  if (/^(?:https?:|www\.)/i.test(found)) return /\w$/.test(before) ? undefined : webLink(trimmed(found));
  if (/[\p{L}\p{N}_•@+./-]$/u.test(before) || /^[\p{L}\p{N}_•@-]/u.test(after)) return undefined;
  if (found.includes("@")) return /(?:^|[\s<>()[\]"',;:“”„«»])$/.test(before) ? mailLink(found) : undefined;
  // Groups of digits before or after it belong to the same number: an account, a card.
  const isGroup = !found.startsWith("+") && (/\d[ \u00a0]$/.test(before) || /^[ \u00a0]\d/.test(after));
  return isGroup ? undefined : phoneLink(found);
}

/** Without the punctuation of the sentence around it. A closing bracket stays where it was opened in the address. */
function trimmed(address: string): string {
  let end = address.length;
  let unopened = address.split(")").length - address.split("(").length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? "";
    if (last === ")" && unopened-- <= 0) break;
    if (!".,;:!?'’…*)]}".includes(last)) break;
  }
  return address.slice(0, end);
}

function webLink(text: string): TextPart | undefined {
  if (text.length > LINK_CHARACTERS || text.includes(MASK)) return undefined;
  const hasScheme = /^https?:/i.test(text);
  const [authority = ""] = text.slice(hasScheme ? text.indexOf("//") + 2 : 0).split(/[/?#]/, 1);
  if (authority === "" || authority.includes("@")) return undefined;
  if (!hasScheme && !/^www\.[^.]+\.[^.]/i.test(authority)) return undefined;
  const url = parsed(hasScheme ? text : `https://${text}`);
  if (url === undefined) return undefined;
  const { href, hostname: host } = url;
  return authority.replace(/:\d*$/, "").toLowerCase() === host ? { text, href } : { text, href, host };
}

function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

function mailLink(text: string): TextPart | undefined {
  return /^[.'-]/.test(text) ? undefined : { text, href: `mailto:${text}` };
}

function phoneLink(text: string): TextPart | undefined {
  // An amount, such as +50.000.000.
  if (/^\+\d{1,3}(?:\.\d{3})+$/.test(text)) return undefined;
  const digits = text.replace(/^((?:\+|00)\d.*?)\(0\)/, "$1").replace(/[^+\d]/g, "");
  return digits.replace(/^(?:\+|00)/, "").length > 15 ? undefined : { text, href: `tel:${digits}` };
}
