import { type ReactElement, useEffect, useRef } from "react";
import { callTexts } from "../i18n/call-texts";
import { CallIcon } from "./call-icon";

interface PictureProps {
  stream: MediaStream | undefined;
  hidden: boolean;
  label: string;
  className: string;
  muted?: boolean;
  /** Whether it can be taken out of the page, and stays in sight over other windows. */
  floats?: boolean;
  /** Told when the browser plays nothing before the person clicks. */
  silent?: (silent: boolean) => void;
}

/** A picture, or only its sound while hidden. */
export function Picture(
  { stream, hidden, label, className, muted = false, floats = false, silent }: PictureProps,
): ReactElement {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    element.srcObject = stream ?? null;
    if (stream) void element.play().catch(({ name }: Error) => silent?.(name === "NotAllowedError"));
  }, [stream, silent]);
  const float = (): void => void video.current?.requestPictureInPicture().catch(() => undefined);
  return (
    <>
      <video ref={video} className={className} hidden={hidden} muted={muted} playsInline autoPlay aria-label={label} />
      {floats && !hidden && document.pictureInPictureEnabled && (
        <button
          className="icon-button call-float"
          aria-label={callTexts.float}
          title={callTexts.float}
          onClick={float}
        >
          <CallIcon name="float" />
        </button>
      )}
    </>
  );
}
