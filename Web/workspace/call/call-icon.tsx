import type { ReactElement } from "react";

const shapes = {
  phone: "M5 3h2.5l1.300 3.300-1.700 1.300a9 9 0 0 0 5.300 5.300l1.300-1.700L17 12.500V15a1.700 1.700 0 0 1-1.800 1.700A14 14 0 0 1 3.300 4.800 1.700 1.700 0 0 1 5 3Z",
  end: "M2.500 12c4.200-4.200 10.800-4.200 15 0l-1.700 2.100-3.300-1.300v-1.900a10 10 0 0 0-5 0v1.900l-3.300 1.300Z",
  mic: "M10 3.500a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0v-4a2 2 0 0 1 2-2Zm-4.500 6a4.500 4.500 0 0 0 9 0M10 14v2.500",
  micOff: "M10 3.500a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0v-4a2 2 0 0 1 2-2Zm-4.500 6a4.500 4.500 0 0 0 9 0M10 14v2.500M3.500 3.500l13 13",
  camera: "M3.500 6h8.500v8H3.500ZM12 9.200l4.500-2.500v6.600L12 10.800",
  cameraOff: "M3.500 6h8.500v8H3.500ZM12 9.200l4.500-2.500v6.600L12 10.800M3.500 3.500l13 13",
  screen: "M3 4.500h14v9H3ZM7 16.500h6M10 11V7.500m-1.800 1.700L10 7.500l1.800 1.700",
} as const;

export type CallShape = keyof typeof shapes;

/** A line icon of a call, on a 20 px grid. Decoration: its meaning is in the control's label. */
export function CallIcon({ name }: { name: CallShape }): ReactElement {
  return (
    <svg className="glyph" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}
