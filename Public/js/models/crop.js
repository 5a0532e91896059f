/** Side of the stored square, in pixels: the largest face shown is 96 CSS pixels, on screens of up to four times. */
export const PICTURE_SIDE = 384;
/** Files that are larger are not even read. */
export const LARGEST_FILE = 30 * 1024 * 1024;
/** What the server takes (docs/api.md). */
export const LARGEST_UPLOAD = 1024 * 1024;

/**
 * The middle square of a picture and the side it is drawn at; small pictures are not blown up.
 * @param {number} width in pixels
 * @param {number} height in pixels
 * @returns {{left: number, top: number, side: number, drawn: number}|null} null when there is nothing to cut
 */
export function squareOf(width, height) {
  const side = Math.min(width, height);
  if (!(side >= 1)) return null;
  return {
    left: Math.floor((width - side) / 2), top: Math.floor((height - side) / 2), side, drawn: Math.min(side, PICTURE_SIDE),
  };
}
