/** More would take too much memory to look at. */
export const MAX_PIXELS = 50_000_000;
/** The longest side that providers take. */
export const MAX_SIDE = 8000;
/** How many pixels across become one, at most; beyond that nothing could be read. */
const MAX_FACTOR = 8;

/** Pixels as samples of 8 bits: red, green, blue, and alpha where there is any. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  readonly data: Buffer;
}

/** An image as its format stores it, and how a pixel is read from it. */
export interface StoredImage {
  readonly width: number;
  readonly height: number;
  readonly samples: number;
  /** The sample of a pixel: 0 is red, 3 is alpha. */
  sample(x: number, y: number, index: number): number;
}

/** By how much an image may be made smaller, the least first, where it is so many times too large. */
export function factorsFor(
  { width, height }: Pick<StoredImage, 'width' | 'height'>,
  excess: number,
): readonly number[] {
  const needed = Math.max(2, Math.ceil(Math.max(Math.sqrt(excess), Math.max(width, height) / MAX_SIDE)));
  return Array.from({ length: Math.max(0, MAX_FACTOR - needed + 1) }, (_, index) => needed + index);
}

/** Squares of pixels become their average. */
export function average(image: StoredImage, factor: number): Pixels {
  const { samples } = image;
  const width = Math.ceil(image.width / factor);
  const height = Math.ceil(image.height / factor);
  const data = Buffer.alloc(width * height * samples);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let index = 0; index < samples; index++) {
        data[(y * width + x) * samples + index] = averageOf(image, { x, y, index, factor });
      }
    }
  }
  return { width, height, samples, data };
}

function averageOf(
  { width, height, sample }: StoredImage,
  { x, y, index, factor }: { readonly x: number; readonly y: number; readonly index: number; readonly factor: number },
): number {
  const [right, bottom] = [Math.min(width, (x + 1) * factor), Math.min(height, (y + 1) * factor)];
  let sum = 0;
  for (let row = y * factor; row < bottom; row++) {
    for (let column = x * factor; column < right; column++) sum += sample(column, row, index);
  }
  return Math.round(sum / ((right - x * factor) * (bottom - y * factor)));
}
