/**
 * The address of a voice message, and the format that this browser plays: detected by `canPlayType`, never by the
 * browser's name.
 */

/** In this order. MP3 is there at once; the others are made when first asked for. */
export const FORMATS = [
  ["mp3", "audio/mpeg"], ["ogg", "audio/ogg; codecs=opus"], ["m4a", 'audio/mp4; codecs="mp4a.40.2"'],
] as const;

/** The format of a rendition. */
export type Format = (typeof FORMATS)[number][0];

/** The first format that `canPlay` does not rule out; MP3 where it rules out everything. */
export function formatFor(canPlay: (type: string) => string): Format {
  return FORMATS.find(([, type]) => canPlay(type) !== "")?.[0] ?? "mp3";
}

/** The format that this browser plays. */
export function ownFormat(): Format {
  const audio = document.createElement("audio");
  return formatFor((type) => audio.canPlayType(type));
}

/** The address of a recording, without any proof of who asks. */
export function mediaURL(c: string, media: string, format: Format | "original" = ownFormat()): string {
  const ending = format === "original" ? "/original" : `.${format}`;
  return `/v1/media/${encodeURIComponent(c)}/${encodeURIComponent(media)}${ending}`;
}

/** The address of a canned reply's clip. */
export const clipURL = (media: string): string => `/v1/clips/${encodeURIComponent(media)}.${ownFormat()}`;

/**
 * Our MP3 has a constant rate, and every frame has the same length, so that a byte belongs to every moment
 * (EarshotMediaWorker/MP3Encoder).
 */
export const MP3_FRAME_BYTES = 96;
/** The length of an MP3 frame, in milliseconds. */
export const MP3_FRAME_MS = 24;
/** A frame may lean on what the frames before it left over: so many are fetched in front of the moment. */
const RUN_UP_FRAMES = 12;

/** From which byte on to fetch, to play from `ms` on, and at which moment that piece begins. */
export function mp3From(ms: number): { byte: number; base: number } {
  const frame = Math.max(0, Math.floor(ms / MP3_FRAME_MS) - RUN_UP_FRAMES);
  return frame === 0 ? { byte: 0, base: 0 } : { byte: (frame + 1) * MP3_FRAME_BYTES, base: frame * MP3_FRAME_MS };
}
