import { useCallback, useEffect, useState } from "react";
import { list } from "../../../client/core/parse";
import { useAsk } from "../settings-context";

/** Fetches a list page by page, newest entries first. */
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
  const fetch = useCallback((held: readonly T[]): void => {
    const last = held[held.length - 1];
    ask("GET", last === undefined ? `${path}?limit=50` : `${path}?limit=50&before=${before(last)}`).then((json) => {
      setItems([...held, ...list(json[name], read)]);
      setMore(json["more"] === true);
      setFailed(false);
    }, () => setFailed(true));
  }, [ask, path, name]);
  useEffect(() => fetch([]), [fetch, again]);
  return { items, more, failed, older: () => fetch(items ?? []) };
}
