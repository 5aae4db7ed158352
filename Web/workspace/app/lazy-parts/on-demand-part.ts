import type { ComponentType } from "react";
import { type LazyPart, lazyPart } from "./lazy-part";

type OnDemand = typeof import("./on-demand");
type PropsOf<T> = T extends ComponentType<infer Props> ? Props & object : never;

/**
 * A component of on-demand.ts, fetched with all others of it when the first of them is rendered. `meanwhile` is what is
 * shown until then.
 */
export function onDemand<Name extends keyof OnDemand>(
  name: Name,
  meanwhile?: ComponentType<PropsOf<OnDemand[Name]>>,
): LazyPart<PropsOf<OnDemand[Name]>> {
  type Props = PropsOf<OnDemand[Name]>;
  return lazyPart<Props>("actions", async () => ({
    default: (await import("./on-demand"))[name] as unknown as ComponentType<Props>,
  }), meanwhile);
}
