/** Pictures that only later parts need. */
import { svg } from "../voice/ui/dom";
import { MOUTHS } from "../voice/ui/rating-icons";

const frame = (...parts: SVGElement[]): SVGElement =>
  svg(
    "svg",
    {
      viewBox: "0 0 24 24",
      "aria-hidden": "true",
      focusable: "false",
      class: "icon",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": "1.8",
      "stroke-linecap": "round",
    },
    ...parts
  );

const dot = (cx: number, cy: number, r: number): SVGElement => svg(
  "circle", { cx, cy, r, fill: "currentColor", stroke: "none" },
);

/** There is more. */
export const dots = (): SVGElement => frame(dot(6, 12, 1.7), dot(12, 12, 1.7), dot(18, 12, 1.7));

/** A status, from 1 (very bad) to 5 (very good). */
export const ratingIcon = (value: number): SVGElement =>
  frame(
    svg("circle", { cx: 12, cy: 12, r: 9 }),
    dot(8.9, 9.8, 1.2),
    dot(15.1, 9.8, 1.2),
    svg("path", { d: MOUTHS[value - 1] ?? "" }),
  );
