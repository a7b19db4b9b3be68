import { PNG } from 'pngjs';
import { average, factorsFor, MAX_PIXELS, type Pixels, type StoredImage } from './pixels.ts';

/** What is unpacked of one image; pngjs needs about three times this in memory. */
const MAX_UNPACKED_BYTES: number = MAX_PIXELS * 4;
/** Samples of one pixel, by the colour type of the format. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * A smaller copy of a PNG, such as a screenshot, that takes at most so many bytes: squares of pixels become their average. Undefined where
 * it is no PNG, is interlaced, or is too large to be worked at.
 */
export function shrinkPng(bytes: Uint8Array, maxBytes: number): Uint8Array | undefined {
  try {
    const image = readPng(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (!image) return undefined;
    for (const factor of factorsFor(image, bytes.length / maxBytes)) {
      const smaller = writePng(average(image, factor));
      if (smaller.length <= maxBytes) return smaller;
    }
  } catch {
    // What looks like a PNG and is broken cannot be shown to anybody.
  }
  return undefined;
}

function readPng(file: Buffer): StoredImage | undefined {
  const { headers, length } = readChunks(file);
  const [header] = headers;
  // pngjs believes the last header.
  if (!header || headers.length > 1 || !isSmallEnough(header)) return undefined;
  const { width, height, alpha, data } = PNG.sync.read(file.subarray(0, length));
  return {
    width,
    height,
    samples: alpha ? 4 : 3,
    sample: (x, y, index) => data[(y * width + x) * 4 + index] ?? 0,
  };
}

/** Before anything is unpacked: a file of some kilobytes can claim gigabytes. Of an interlaced one pngjs unpacks all that there is. */
function isSmallEnough(header: Buffer): boolean {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, type = 0, , , interlace = 0] = header.subarray(8);
  const bytes = (width * height * (CHANNELS[type] ?? Number.POSITIVE_INFINITY) * depth) / 8;
  return interlace === 0 && width * height <= MAX_PIXELS && bytes <= MAX_UNPACKED_BYTES;
}

/** The headers of a file, and where its last chunk ends: some programs write more behind it. */
function readChunks(file: Buffer): { readonly headers: readonly Buffer[]; readonly length: number } {
  const headers: Buffer[] = [];
  let at = 8;
  for (let name = ''; name !== 'IEND' && at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    name = file.toString('latin1', at + 4, at + 8);
    if (name === 'IHDR') headers.push(file.subarray(at + 8, end));
    at = end + 4;
  }
  return { headers, length: at };
}

export function writePng({ width, height, samples, data }: Pixels): Buffer {
  const colorType = samples === 4 ? 6 : 2;
  const image = Object.assign(new PNG({ width, height }), { data });
  // The difference to the pixel at the left: as good as any for screenshots, and the fastest.
  return PNG.sync.write(image, { colorType, inputColorType: colorType, inputHasAlpha: samples === 4, filterType: 1 });
}
