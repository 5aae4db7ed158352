import { useCallback, useEffect, useRef, useState } from "react";
import { list } from "../../../client/core/parse";
import { useAsk } from "../settings-context";

/** Fetches a list page by page, newest entries first; `path` may have a query. */
export function usePages<T>(
  path: string,
  name: string,
  read: (v: unknown) => T | undefined,
  before: (item: T) => number,
  again: unknown,
): {
  readonly items: readonly T[] | undefined;
  readonly more: boolean;
  readonly failed: boolean;
  readonly older: () => void;
} {
  const ask = useAsk();
  const [items, setItems] = useState<readonly T[] | undefined>();
  const [more, setMore] = useState(false);
  const [failed, setFailed] = useState(false);
  const latest = useRef(0);
  const fetch = useCallback((held: readonly T[]): void => {
    const last = held[held.length - 1];
    const page = last === undefined ? "limit=50" : `limit=50&before=${before(last)}`;
    // An answer that comes after a later question is not shown.
    const question = ++latest.current;
    ask("GET", `${path}${path.includes("?") ? "&" : "?"}${page}`).then((json) => {
      if (question !== latest.current) return;
      setItems([...held, ...list(json[name], read)]);
      setMore(json["more"] === true);
      setFailed(false);
    }, () => question === latest.current && setFailed(true));
  }, [ask, path, name]);
  useEffect(() => fetch([]), [fetch, again]);
  return { items, more, failed, older: () => fetch(items ?? []) };
}
