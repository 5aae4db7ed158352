import type { ReactElement } from "react";
import { initials, tint } from "./format";

/** A circle with a person's initials in one of six colours. Decoration: the name is always next to it. */
export function Avatar({ name, large = false }: { name: string; large?: boolean }): ReactElement {
  return (
    <span className={large ? "avatar avatar-large" : "avatar"} data-tint={tint(name)} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
