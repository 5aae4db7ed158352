/** The smallest helper that makes DOM readable. Text goes in as text only: no markup is ever parsed here. */

/** What `h` appends; `undefined` and `false` are skipped. */
export type Child = Node | string | undefined | false;
/** Attributes by name. */
export type Attributes = Record<string, string | number | boolean | undefined>;

/** Creates an element with attributes (`false` and `undefined` omit one, `true` sets it empty) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

/** Sets or removes attributes; touches only what differs. */
export function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = value === true ? "" : String(value);
    if (value === undefined || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** Sets the text of an element; touches it only when the text differs. */
export function setText(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

const SVG = "http://www.w3.org/2000/svg";

/** Creates an SVG element. */
export function svg(tag: string, attributes: Attributes = {}, ...children: Element[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Line icons on a 24 grid, drawn with the text's colour. */
const SHAPES = {
  mic: "M12 3.5a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0v-5a3 3 0 0 0-3-3ZM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3",
  send: "M12 19V5.5M6 11l6-6 6 6",
  trash: "M4.5 6.5h15M9.5 6.5V4h5v2.5M6.5 6.5l.9 13h9.2l.9-13M10.2 10.5v5.5M13.8 10.5v5.5",
  close: "M6 6l12 12M18 6 6 18",
  down: "M12 5v13.5M6.5 13 12 18.5 17.5 13",
  again: "M5 12a7 7 0 1 0 2.2-5.1M4.6 3.8l.4 4.2 4.2-.4",
  clock: "M12 7.5V12l3 2M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16Z",
  tick: "M6 12.5l4 4 8-9",
  ticks: "M2.5 12.5l4 4 8-9M11.8 14.6l1.9 1.9 8-9",
  ear:
    "M7.5 19.2c1.2 1.6 4 1.6 5-.3.9-1.700.4-2.900 2-4.500 1.400-1.400 2.500-2.800 2.500-5.100a5.300 " +
      "5.300 0 0 0-10.600 0M9.400 9.300a2.400 2.400 0 0 1 4.800 0c0 1.800-2.100 2.200-2.100 4.400",
  alert: "M12 8v5M12 16.4v.1M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Z",
} as const;

/** Filled icons. */
const SOLIDS = {
  play: "M8.5 5.6c0-1 1.1-1.6 2-1.1l9 6.4c.8.5.8 1.7 0 2.2l-9 6.4c-.9.5-2-.1-2-1.1Z",
  pause:
    "M8 5h2.5a.5.5 0 0 1 .5.5v13a.5.5 0 0 1-.5.5H8a.5.5 0 0 1-.5-.5v-13A.5.5 0 0 1 8 5ZM13.5 5H16a.5.5 0 " +
      "0 1 .5.5v13a.5.5 0 0 1-.5.5h-2.5a.5.5 0 0 1-.5-.5v-13a.5.5 0 0 1 .5-.5Z",
  stop: "M8 6h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2Z",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof SHAPES | keyof typeof SOLIDS;

/** An icon, hidden from assistive technology: the button around it has the name. */
export function icon(name: IconName): SVGElement {
  const solid = name in SOLIDS;
  const d = solid ? SOLIDS[name as keyof typeof SOLIDS] : SHAPES[name as keyof typeof SHAPES];
  const paint = solid
    ? { fill: "currentColor" }
    : {
      fill: "none",
      stroke: "currentColor",
      "stroke-width": "1.8",
      "stroke-linecap": "round",
      "stroke-linejoin": "round",
    };
  return svg(
    "svg",
    { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false", class: "icon", ...paint },
    svg("path", { d }),
  );
}

/** A button that shows an icon and has a name. */
export function iconButton(name: IconName, label: string, attributes: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", "aria-label": label, title: label, ...attributes }, icon(name));
}
