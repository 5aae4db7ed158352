/** What is fetched when it is wanted, in one part: dialogs, search, saved views. They come together, for who needs one soon needs another. */
// Everything that is on the page already stays one part: see later.tsx.
import "./app";
export { default as Preview } from "./preview";
export { default as Promise_ } from "./promise";
export { default as Search } from "./search";
export { default as Sheet } from "./sheet";
export { default as Transfer } from "./transfer";
export { default as Views } from "./views";
export { default as Why } from "./why";
export { default as Work } from "./work";
export { default as WrapUp } from "./wrap-up";
