/** Lazy loading of code and style sheets that the widget does not need at load. */
import { h } from "../voice/ui/dom";

/**
 * Loads a part at the first call, and returns `undefined` until it is loaded. After a failure the next call tries
 * again.
 */
export function lazyPart<T>(load: () => Promise<T>, arrived: (here: T) => void): () => T | undefined {
  let here: T | undefined;
  let coming = false;
  return () => {
    if (!coming) load().then((value) => arrived((here = value)), () => (coming = false));
    coming = true;
    return here;
  };
}

/** Loads a style sheet next to the widget's. */
export function loadStyleSheet(href: string): Promise<void> {
  const link = h("link", { rel: "stylesheet", href });
  return new Promise((done, failed) => {
    link.addEventListener("load", () => done());
    link.addEventListener("error", () => {
      link.remove();
      failed(new Error(href));
    });
    document.head.append(link);
  });
}
