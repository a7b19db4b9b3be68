import { average, factorsFor, MAX_PIXELS, type Pixels, type StoredImage } from './pixels.ts';

const MAX_MEMORY_MEGABYTES = 1024;
/** Text in a screenshot stays readable. */
const QUALITY = 80;

/** A smaller copy of a JPEG that takes at most so many bytes. Undefined where it cannot be read, or is too large to be worked at. */
export async function shrinkJpeg(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  try {
    const { decode, encode } = (await import('jpeg-js')).default;
    const { width, height, data } = decode(bytes, {
      useTArray: true,
      maxResolutionInMP: MAX_PIXELS / 1_000_000,
      maxMemoryUsageInMB: MAX_MEMORY_MEGABYTES,
    });
    const image: StoredImage = {
      width,
      height,
      samples: 4,
      sample: (x, y, index) => data[(y * width + x) * 4 + index] ?? 0,
    };
    for (const factor of factorsFor(image, bytes.length / maxBytes)) {
      const smaller: Pixels = average(image, factor);
      const { data: written } = encode(smaller, QUALITY);
      if (written.length <= maxBytes) return written;
    }
  } catch {
    // What looks like a JPEG and is broken cannot be shown to anybody.
  }
  return undefined;
}
