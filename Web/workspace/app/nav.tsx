import type { ReactElement } from "react";
import { may } from "../../client/agent/permissions";
import { sectionsFor } from "../settings/sections/sections";
import { useWorkspace } from "./session-context";
import { Icon, type IconName } from "../ui/icons";
import { address, type Route } from "./route";
import { texts } from "../i18n/texts";

interface Entry {
  readonly name: keyof typeof texts.nav;
  readonly icon: IconName;
  readonly href: string;
  readonly here: boolean;
}

/** The pages that the person has access to. */
export function usePages(route: Route): readonly Entry[] {
  const { identity } = useWorkspace();
  const inbox = route.page === "inbox";
  const tab = route.tab === "search" ? "waiting" : route.tab;
  return [
    {
      name: "inbox",
      icon: "inbox",
      href: address({ tab, c: route.c, card: false }),
      here: inbox && route.tab !== "search",
    },
    ...(may(identity, "history.search")
      ? [{
        name: "search",
        icon: "search",
        href: address({ tab: "search", c: undefined, card: false }),
        here: inbox && route.tab === "search",
      } as const]
      : []),
    ...(may(identity, "wall.read")
      ? [{ name: "wall", icon: "wall", href: "#/wall", here: route.page === "wall" } as const]
      : []),
    ...(sectionsFor(identity).length > 0
      ? [{ name: "admin", icon: "gear", href: "#/admin", here: route.page === "admin" } as const]
      : []),
  ];
}

/** The navigation between pages; on a phone it is in the user menu. */
export function Nav({ route }: { route: Route }): ReactElement {
  return (
    <nav className="nav not-phone" aria-label={texts.nav.label}>
      {usePages(route).map(({ name, icon, href, here }) => (
        <a
          key={name}
          className="nav-link"
          href={href}
          aria-current={here ? "page" : undefined}
          aria-label={texts.nav[name]}
          title={texts.nav[name]}
        >
          <Icon name={icon} />
        </a>
      ))}
    </nav>
  );
}
