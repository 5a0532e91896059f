/** Side of the stored square in pixels: the largest face is 96 CSS pixels, at up to four device pixels each. */
export const PICTURE_SIDE = 384;
/** Larger files are refused before they are read, in bytes. */
export const LARGEST_FILE = 30 * 1024 * 1024;
/** The types that the server accepts (docs/api.md). */
export const LARGEST_UPLOAD = 1024 * 1024;

/**
 * The centre square of a picture, and the side it is drawn at. Small pictures are not enlarged.
 * @param {number} width in pixels
 * @param {number} height in pixels
 * @returns {{left: number, top: number, side: number, drawn: number}|null} null for an empty picture
 */
export function squareOf(width, height) {
  const side = Math.min(width, height);
  if (!(side >= 1)) return null;
  return {
    left: Math.floor((width - side) / 2), top: Math.floor((height - side) / 2), side,
    drawn: Math.min(side, PICTURE_SIDE),
  };
}
