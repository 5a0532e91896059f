/**
 * Turns a chosen file into a small square picture. Animated ones keep their first frame.
 */
import { LARGEST_FILE, LARGEST_UPLOAD, squareOf } from '../models/crop.js';

const QUALITIES = [0.9, 0.75, 0.5];

/** Why a file is refused; `reason` is `not-image` or `too-large`. */
class PictureError extends Error {
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Crops the centre square and scales it to the largest face shown. Keeps the orientation, and drops all other metadata
 * (place, camera).
 * @param {Blob} file
 * @returns {Promise<Blob>} WebP, or JPEG if the browser cannot encode that; throws `PictureError`
 */
export async function readPicture(file) {
  if (file.size > LARGEST_FILE) throw new PictureError('too-large');
  const image = await decode(file);
  try {
    const square = squareOf(image.width, image.height);
    if (!square) throw new PictureError('not-image');
    const { left, top, side, drawn } = square;
    const canvas = document.createElement('canvas');
    canvas.width = drawn;
    canvas.height = drawn;
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, left, top, side, side, 0, 0, drawn, drawn);
    return await encode(canvas, context);
  } finally {
    image.close();
  }
}

async function decode(file) {
  try {
    return await createImageBitmap(file, /** @type {any} */ ({ imageOrientation: 'from-image' }));
  } catch {
    throw new PictureError('not-image');
  }
}

async function encode(canvas, context) {
  const write = (type, quality) => new Promise((resolve) => {
    canvas.toBlob(resolve, type, quality);
  });
  const webp = await write('image/webp', QUALITIES[0]);
  if (webp?.type === 'image/webp' && webp.size <= LARGEST_UPLOAD) return webp;
  // JPEG has no transparency: transparent pixels become white instead of black.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const quality of QUALITIES) {
    const jpeg = await write('image/jpeg', quality);
    if (jpeg && jpeg.size <= LARGEST_UPLOAD) return jpeg;
  }
  throw new PictureError('not-image');
}
