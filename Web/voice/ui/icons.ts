/** The player's icons, on the same 24 grid as those of dom.ts. They load with the player. */
import { icon, svg } from "./dom";
import type { IconName } from "./dom";
import type { PlayerStatus } from "./player-view";

const SHAPES = {
  more: "M6 12h.01M12 12h.01M18 12h.01",
  shield:
    "M12 3.500 5.500 6v5.200c0 4.200 2.700 7.600 6.500 9.300 3.800-1.700 6.500-5.100 6.500-9.300V6ZM12 " +
      "8.500V12l2 1.600",
  barred:
    "M12 3.500 5.500 6v5.200c0 4.200 2.700 7.600 6.500 9.300 3.800-1.700 6.500-5.100 " +
      "6.500-9.300V6ZM9.500 9.500l5 5M14.500 9.500l-5 5",
  download: "M12 4v10.500M7.500 10.500 12 15l4.500-4.500M5 19.500h14",
  check: "M6 12.500l4 4 8-9",
  next: "M6 6.500v11l8-5.500ZM17.500 6.500v11",
  gone:
    "M4 4l16 16M9 5.500a3 3 0 0 1 6 1v4M9 9v2.500a3 3 0 0 0 4.500 2.600M5.500 11.500a6.500 6.500 0 0 0 " +
      "10.500 5M18.400 12.700l.1-1.200M12 18v3",
  silences: "M4 10v4M8 7v10M12 12h.01M16 7v10M20 10v4",
} as const;

/** The name of a player's icon. */
export type PlayerIconName = keyof typeof SHAPES;

/** Creates a player's icon. */
export function playerIcon(name: PlayerIconName): SVGElement {
  const paint = {
    fill: "none",
    stroke: "currentColor",
    "stroke-width": name === "more" ? "2.6" : "1.8",
    "stroke-linecap": "round",
    "stroke-linejoin": "round",
  };
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false", class: "icon", ...paint },
    svg("path", { d: SHAPES[name] }),
  );
}

const STATUS_ICONS: Partial<Record<PlayerStatus, PlayerIconName | IconName>> = {
  checked: "shield", blocked: "barred", spoiled: "gone", erased: "gone",
  playing: "pause", buffering: "pause", failed: "again",
};

/** The icon of the play button. */
export function statusIcon(status: PlayerStatus): SVGElement {
  const name = STATUS_ICONS[status] ?? "play";
  return name in SHAPES ? playerIcon(name as PlayerIconName) : icon(name as IconName);
}
