import type { ReactElement } from "react";

const shapes = {
  phone: "M5 3h2.5l1.3 3.3-1.7 1.3a9 9 0 0 0 5.3 5.3"
    + "l1.3-1.7L17 12.5V15a1.7 1.7 0 0 1-1.8 1.7A14 14 0 0 1 3.3 4.8 1.7 1.7 0 0 1 5 3Z",
  end: "M2.5 12c4.2-4.2 10.8-4.2 15 0l-1.7 2.1-3.3-1.3v-1.9a10 10 0 0 0-5 0v1.9l-3.3 1.3Z",
  mic: "M10 3.5a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0v-4a2 2 0 0 1 2-2Zm-4.5 6a4.5 4.5 0 0 0 9 0M10 14v2.5",
  micOff: "M10 3.5a2 2 0 0 1 2 2v4a2 2 0 0 1-4 0v-4a2 2 0 0 1 2-2Zm-4.5 6a4.5 4.5 0 0 0 9 0M10 14v2.5M3.5 3.5l13 13",
  camera: "M3.5 6h8.5v8H3.5ZM12 9.2l4.5-2.5v6.6L12 10.8",
  cameraOff: "M3.5 6h8.5v8H3.5ZM12 9.2l4.5-2.5v6.6L12 10.8M3.5 3.5l13 13",
  screen: "M3 4.5h14v9H3ZM7 16.5h6M10 11V7.5m-1.8 1.7L10 7.5l1.8 1.7",
  float: "M3 4.5h14v11H3ZM10 10h5v3.5h-5Z",
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
