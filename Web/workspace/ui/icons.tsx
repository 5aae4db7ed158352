import type { ReactElement } from "react";

const shapes = {
  back: "M12.5 4.5 7 10l5.5 5.5",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  close: "m5.5 5.5 9 9m0-9-9 9",
  copy: "M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3",
  down: "M10 4v11m-4.5-4.5L10 15l4.5-4.5",
  info: "M10 9v5m0-7.6v.1M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z",
  inbox: "M3.5 11.5h3.7l1 2h3.6l1-2h3.7M3.5 11.5v4h13v-4L14 4.5H6l-2.5 7Z",
  keyboard: "M3 5.5h14v9H3zM6 8.5h.01M9 8.5h.01M12 8.5h.01M14.5 8.5h.01M7 11.5h6",
  leave: "M11 4H5v12h6m-2.5-6H17m0 0-2.5-2.5M17 10l-2.5 2.5",
  ear:
    "M6.3 16c1 1.3 3.3 1.3 4.2-.3.7-1.4.3-2.4 1.6-3.7 1.2-1.2 2.1-2.3 2.1-4.3a4.4 4.4 0 0 0-8.8 0" +
    "M7.8 7.7a2 2 0 0 1 4 0c0 1.5-1.7 1.8-1.7 3.7",
  eye: "M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5Zm7.5 2a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  mic: "M10 3.5a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0v-4a2 2 0 0 1 2-2Zm-4.5 6a4.5 4.5 0 0 0 9 0M10 14v2.5",
  play: "M7 4.5v11l8.5-5.5z",
  pause: "M7 5v10M13 5v10",
  send: "M4 10h11m-4.5-4.5L15 10l-4.5 4.5",
  warn: "M10 7.5v3.5m0 2.4v.1M10 3.5l7 12.5H3L10 3.5Z",
  clock: "M10 6.5V10l2.5 1.5M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z",
  resolve: "m7 10 2.2 2.2L13.5 8M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z",
  sun:
    "M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z" +
    "M10 2.5v1.5m0 12v1.5M2.5 10H4m12 0h1.5M4.7 4.7l1 1m8.6 8.6 1 1m0-10.6-1 1m-8.6 8.6-1 1",
  search: "M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 4 4",
  wall: "M3.5 16.5v-6h3v6m2-10h3v10m2-6.5h3v6.5M2.5 16.5h15",
  gear:
    "M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z" +
    "M10 3v2m0 10v2M3 10h2m10 0h2M5.05 5.05l1.4 1.4m7.1 7.1 1.4 1.4m0-9.9-1.4 1.4m-7.1 7.1-1.4 1.4",
  more: "M4.5 10h1M9.5 10h1M14.5 10h1",
  lock: "M5.5 9h9v7h-9zM7.5 9V6.5a2.5 2.5 0 0 1 5 0V9",
  at: "M13 10a3 3 0 1 1-6 0 3 3 0 0 1 6 0Zm0 0v1.2a2 2 0 0 0 4 0V10a7 7 0 1 0-2.8 5.6",
  bell: "M5 14V9a5 5 0 0 1 10 0v5l1 1H4l1-1Zm3.5 3h3",
  star: "m10 3.5 2 4.3 4.7.6-3.5 3.2.9 4.7-4.1-2.3-4.1 2.3.9-4.7-3.5-3.2 4.7-.6 2-4.3Z",
  filter: "M3.5 5.5h13M6 10h8m-5.5 4.5h3",
  bolt: "m11 3-6 8.5h4.5L9 17l6-8.5h-4.5L11 3Z",
  arrow: "M4 10h12m-4-4 4 4-4 4",
} as const;

export type IconName = keyof typeof shapes;

/** A line icon on a 20 px grid. Decoration: its meaning is in a text next to it or in the control's label. */
export function Icon({ name, flip = false }: { name: IconName; flip?: boolean }): ReactElement {
  return (
    <svg className={flip ? "glyph glyph-flips" : "glyph"} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}

/** One tick for sent, two for delivered; CSS colours the ticks of read messages. */
export function Ticks({ two }: { two: boolean }): ReactElement {
  return (
    <svg className="glyph glyph-ticks" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={two ? "m2 10.5 3 3L11.5 7M9 13l.5.5L16 7" : "m5 10.5 3 3L14.5 7"} />
    </svg>
  );
}

/** The product's logo. */
export function Logo(): ReactElement {
  return (
    <svg className="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect className="logo-ground" x="1" y="1" width="22" height="22" rx="7" />
      <path className="logo-wave" d="M6 11v2M9 8.5v7M12 6v12M15 9v6M18 11v2" />
    </svg>
  );
}
