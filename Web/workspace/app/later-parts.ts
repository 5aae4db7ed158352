/** What is fetched when it is wanted, in one part: dialogs, search, saved views. They come together, for who needs one soon needs another. */
// Everything that is on the page already stays one part: see later.tsx.
import "./app";
export { default as Preview } from "../inbox/preview";
export { default as Promise_ } from "../actions/callback";
export { default as Search } from "../inbox/search";
export { default as Sheet } from "./shortcut-sheet";
export { default as Transfer } from "../actions/transfer";
export { default as Views } from "../inbox/saved-views";
export { default as Why } from "../actions/routing-details";
export { default as Work } from "../conversation/labels";
export { default as WrapUp } from "../actions/wrap-up";
