import { type ReactElement, useEffect, useRef } from "react";

const LOOK_EVERY_MS = 100;
/** Speech at the usual distance fills about half of the bar. */
const GAIN = 2;

/** How loud the other side is, as a bar: to see at once whether anything arrives. */
export function Level({ track }: { track: MediaStreamTrack | undefined }): ReactElement | null {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!track) return;
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      if (bar.current) bar.current.style.scale = `${Math.min(1, peak * GAIN)} 1`;
    }, LOOK_EVERY_MS);
    return () => {
      clearInterval(timer);
      void context.close();
    };
  }, [track]);
  return track ? <i className="call-level" aria-hidden="true" ref={bar} /> : null;
}
