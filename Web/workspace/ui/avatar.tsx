import type { ReactElement } from "react";
import { initials, tint } from "./format";

/** A round with two letters and a tint of its own: enough to tell people apart at a glance. Decoration; the name stands beside it. */
export function Avatar({ name, large = false }: { name: string; large?: boolean }): ReactElement {
  return (
    <span className={large ? "avatar avatar-large" : "avatar"} data-tint={tint(name)} aria-hidden="true">
      {initials(name)}
    </span>
  );
}
