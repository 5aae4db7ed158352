/** What comes later: code and style sheets that a widget does not need at once. */
import { h } from "../voice/ui/dom";

/** Loads at the first call, tells when it is there, and is `undefined` until then. After a failure the next call tries again. */
export function lazyPart<T>(load: () => Promise<T>, arrived: (here: T) => void): () => T | undefined {
  let here: T | undefined;
  let coming = false;
  return () => {
    if (!coming) load().then((value) => arrived((here = value)), () => (coming = false));
    coming = true;
    return here;
  };
}

/** A style sheet that stands beside the widget's. */
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
