import type { ReactElement } from "react";

/** A cup: no one is waiting. */
export function QuietPicture(): ReactElement {
  return (
    <Frame>
      <path className="soft" d="M12 78c0-30 26-54 58-54s58 24 58 54Z" />
      <path className="line" d="M22 82h96" />
      <path className="face" d="M44 46h36v20a14 14 0 0 1-14 14h-8a14 14 0 0 1-14-14Z" />
      <path className="line" d="M44 46h36v20a14 14 0 0 1-14 14h-8a14 14 0 0 1-14-14ZM80 52h5a7 7 0 0 1 0 14h-5" />
      <path className="accent" d="M54 37c-3-4 3-6 0-11m9 11c-3-4 3-6 0-11m9 11c-3-4 3-6 0-11" />
    </Frame>
  );
}

/** Two bubbles, one with a waveform: no conversation is selected. */
export function ChoosePicture(): ReactElement {
  return (
    <Frame>
      <path className="soft" d="M10 76c4-32 28-52 60-52s56 20 60 52Z" />
      <path
        className="face"
        d="M26 28h52a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8H44L32 70V60h-6a8 8 0 0 1-8-8V36a8 8 0 0 1 8-8Z"
      />
      <path
        className="line"
        d="M26 28h52a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8H44L32 70V60h-6a8 8 0 0 1-8-8V36a8 8 0 0 1 8-8Z"
      />
      <path className="accent" d="M32 42v4m7-8v12m7-16v20m7-14v8m7-12v16m7-11v6" />
      <path className="face" d="M74 50h38a8 8 0 0 1 8 8v12a8 8 0 0 1-8 8v8l-10-8H74a8 8 0 0 1-8-8V58a8 8 0 0 1 8-8Z" />
      <path
        className="line"
        d="M74 50h38a8 8 0 0 1 8 8v12a8 8 0 0 1-8 8v8l-10-8H74a8 8 0 0 1-8-8V58a8 8 0 0 1 8-8ZM76 61h34M76 68h20"
      />
    </Frame>
  );
}

/** A picture's frame: its shapes are on a grid of 140 by 96. */
export function Frame({ children }: { children: React.ReactNode }): ReactElement {
  return (
    <svg className="picture" viewBox="0 0 140 96" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}
