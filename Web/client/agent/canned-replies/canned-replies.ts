/** Canned replies: which of them match, and how their placeholders are filled. Pure. */
import type { Canned } from "../contact-centre";

/** What is known of the conversation into which a reply goes. */
export interface Around {
  readonly agent: string;
  readonly consumer: string;
  readonly brand: string;
  readonly skill: string | undefined;
  readonly skillName: string | undefined;
  readonly language: string | undefined;
  /** The clock time now, as people write it. */
  readonly time: string;
}

/** The name that the server gives to a consumer whose own is not known. */
const VISITOR = /^Visitor [A-Z\d]{1,4}$/;

/**
 * A text without the consumer's name: the placeholder goes with the space and the comma that join it to the words
 * before it. At the beginning of a sentence it goes with those after it, and the next word begins the sentence.
 */
function nameless(text: string): string {
  return text.replace(
    /(^|\n|[.!?]\s+)\{consumer\}[,:;!.]?\s*(\p{L}?)/gu,
    (_, before: string, first: string) => before + first.toUpperCase(),
  ).replace(/\s*\(\{consumer\}\)|[,;]?[^\S\n]*\{consumer\}/gu, "");
}

/**
 * The reply with its placeholders filled; those without a value stay as they are, and are named. The name of a consumer
 * who is not known is left out.
 */
export function filledReply(
  text: string, around: Around,
): { readonly text: string; readonly missing: readonly string[] } {
  const values: Record<string, string | undefined> = {
    __proto__: null as never,
    agentNickname: around.agent, consumer: around.consumer, brand: around.brand, skill: around.skillName,
    time: around.time,
  };
  const missing: string[] = [];
  const known = VISITOR.test(around.consumer) ? nameless(text) : text;
  const filled = known.replace(/\{([A-Za-z]{1,40})\}/gu, (whole, name: string) => {
    const value = values[name];
    if (value) return value;
    missing.push(whole);
    return whole;
  });
  return { text: filled, missing };
}

/**
 * The replies for a conversation that match what was typed after the slash: those whose shortcut begins with it first,
 * then those with it in their title, then in their text. A reply for another skill or another language is none.
 */
export function fitting(
  all: readonly Canned[], typed: string, { skill, language }: Pick<Around, "skill" | "language">,
): readonly Canned[] {
  const wanted = typed.trim().toLowerCase();
  const here = all.filter((one) => (one.skill === undefined || one.skill === skill) && speaks(one.language, language));
  const rank = (one: Canned): number => {
    if (one.shortcut.toLowerCase().startsWith(wanted)) return 0;
    if (one.title.toLowerCase().includes(wanted)) return 1;
    return one.text.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return here.map(
    (one) => ({ one, at: rank(one) })
  ).filter(({ at }) => at < 3).sort((a, b) => a.at - b.at).map(({ one }) => one);
}

/** `de` speaks to `de-AT`; where one of the two is not known, they understand each other. */
function speaks(reply: string | undefined, consumer: string | undefined): boolean {
  if (reply === undefined || consumer === undefined) return true;
  const root = (tag: string): string => tag.toLowerCase().split("-")[0] ?? "";
  return root(reply) === root(consumer);
}

/**
 * What follows the slash that begins the reply or one of its words, up to the caret. `undefined` where there is no
 * slash.
 */
export function slashed(text: string, caret: number): { readonly from: number; readonly typed: string } | undefined {
  const found = /(?:^|\s)\/([^\s/]{0,40})$/u.exec(text.slice(0, caret));
  return found === null ? undefined : { from: caret - (found[1] ?? "").length - 1, typed: found[1] ?? "" };
}

/** The same for `@`, which names a colleague. */
export function mentioning(text: string, caret: number): { readonly from: number; readonly typed: string } | undefined {
  const found = /(?:^|\s)@([^\s@]{0,40})$/u.exec(text.slice(0, caret));
  return found === null ? undefined : { from: caret - (found[1] ?? "").length - 1, typed: found[1] ?? "" };
}

/** The colleagues mentioned in a note: those whose full name follows an `@`. */
export function mentioned(
  text: string, people: readonly { readonly id: string; readonly name: string }[],
): readonly string[] {
  const has = (name: string): boolean => {
    for (let at = text.indexOf(`@${name}`); at >= 0; at = text.indexOf(`@${name}`, at + 1)) {
      const after = text[at + name.length + 1];
      if (after === undefined || !/[\p{L}\p{N}]/u.test(after)) return true;
    }
    return false;
  };
  return people.filter(({ name }) => name !== "" && has(name)).map(({ id }) => id);
}
