import { mayHaveLinks } from "../../client/conversation/may-have-links";
import { lazyPart } from "../lazy-parts";

/**
 * The function that finds the links of a text. It returns `undefined` while its code is loading; `arrived` is called
 * when it is there.
 */
export function lazyLinks(arrived: () => void): (text: string) => (Node | string)[] | undefined {
  const links = lazyPart(() => import("./links"), arrived);
  return (text) => mayHaveLinks(text) ? links()?.linked(text) : [text];
}
