import { createContext, useContext, useSyncExternalStore } from "react";
import type { Ask, Book, BookState, Part, Parts } from "./settings-editor";
import type { Names } from "./describe-changes";
import { admin } from "../i18n/settings-words";

/** Which item is open. */
export const OpenContext = createContext<readonly [string | undefined, (id: string | undefined) => void]>([undefined, () => {}]);

const BookContext = createContext<Book | undefined>(undefined);
export const BookProvider = BookContext.Provider;

export function useBook(): { readonly book: Book; readonly state: BookState } {
  const book = useContext(BookContext);
  if (book === undefined) throw new Error("useBook outside of BookProvider");
  return { book, state: useSyncExternalStore(book.store.subscribe, book.store.get) };
}

/** A part as it is worked on, and the way to change it. */
export function usePart<P extends Part>(part: P): readonly [Parts[P], (value: Parts[P]) => void] {
  const { book } = useBook();
  return [book.value(part), (value) => book.change(part, value)];
}

type Options = readonly (readonly [string, string])[];

/** The skills as one can choose them: those that are worked on, saved or not. */
export function useSkills(none?: string): Options {
  const { book } = useBook();
  const skills = book.value("skills").map(({ id, name }) => [id, name || admin.item.unnamed] as const);
  return none === undefined ? skills : [["", none], ...skills];
}

/** Names for ids, as they are in force, or were while one works. */
export function useNames(): Names {
  const { book, state } = useBook();
  const named = (list: readonly { readonly id: string; readonly name: string }[] | undefined) => (id: string): string => list?.find((one) => one.id === id)?.name ?? id;
  return { skill: named(book.value("skills")), hours: named(book.value("hours")), agent: named(state.people) };
}

/** How many problems stand at fields of this item. */
export const badAt = (problems: readonly { readonly at: string }[], id: string): number => problems.filter(({ at }) => at.startsWith(`${id}.`)).length;

const AskContext = createContext<Ask | undefined>(undefined);
export const AskProvider = AskContext.Provider;

/** Asks the server as this person. */
export function useAsk(): Ask {
  const ask = useContext(AskContext);
  if (ask === undefined) throw new Error("useAsk outside of AskProvider");
  return ask;
}
