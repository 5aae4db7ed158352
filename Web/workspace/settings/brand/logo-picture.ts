/** Makes a logo of a picture that a manager chose. */

/** Both sides of a logo, in pixels: about three times what the widget shows, for sharp screens. */
const SIDE = 128;
/** A larger file is no logo, and would keep the browser busy. */
const LARGEST_FILE = 10 * 1024 * 1024;

/** Where a picture of this size goes in a square: as large as possible, whole, and in the middle. */
export function fitted(width: number, height: number, side: number): [x: number, y: number, w: number, h: number] {
  const scale = side / Math.max(width, height);
  const [w, h] = [width * scale, height * scale];
  return [(side - w) / 2, (side - h) / 2, w, h];
}

/** The picture as a PNG file of `SIDE` pixels, as a `data:` address; `undefined` where the browser cannot show it. */
export async function logoOf(file: Blob): Promise<string | undefined> {
  if (file.size > LARGEST_FILE) return undefined;
  try {
    const picture = new Image();
    picture.src = await addressOf(file);
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = SIDE;
    // A drawing may state no size.
    const [width, height] = [picture.naturalWidth || SIDE, picture.naturalHeight || SIDE];
    canvas.getContext("2d")?.drawImage(picture, ...fitted(width, height, SIDE));
    return canvas.toDataURL("image/png");
  } catch {
    return undefined;
  }
}

function addressOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error("The file cannot be read."));
    reader.readAsDataURL(file);
  });
}
