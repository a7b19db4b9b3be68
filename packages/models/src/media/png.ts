import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { average, factorsFor, MAX_PIXELS, type Pixels, type StoredImage } from './pixels.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Samples of one pixel, by the colour type of the format. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * A smaller copy of a PNG, such as a screenshot, that takes at most so many bytes: squares of pixels become their average. Undefined where
 * it is none, or of a kind that is not read here (interlaced, fewer than 8 bits), or too large to be worked at.
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
  if (!file.subarray(0, 8).equals(SIGNATURE)) return undefined;
  const chunks = readChunks(file);
  const header = chunks.get('IHDR')?.[0];
  if (!header) return undefined;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth = 0, type = 0, , , interlace = 0] = header.subarray(8);
  const channels = CHANNELS[type];
  if (channels === undefined || interlace !== 0 || width * height > MAX_PIXELS) return undefined;
  if (depth !== 8 && (depth !== 16 || type === 3)) return undefined;
  const step = (channels * depth) / 8;
  const stride = width * step;
  const stored = inflateSync(Buffer.concat(chunks.get('IDAT') ?? []), { maxOutputLength: (stride + 1) * height });
  if (stored.length !== (stride + 1) * height) return undefined;
  unfilter(stored, { stride, step, height });
  // Of 16 bits the first 8 count.
  const at = (x: number, y: number, channel: number): number =>
    stored[y * (stride + 1) + 1 + x * step + (channel * depth) / 8] ?? 0;
  if (type === 3) return indexed({ width, height }, at, chunks);
  const [isGrey, hasAlpha] = [channels < 3, channels === 2 || channels === 4];
  return {
    width,
    height,
    samples: hasAlpha ? 4 : 3,
    sample: (x, y, index) => at(x, y, index === 3 ? channels - 1 : isGrey ? 0 : index),
  };
}

/** Colours by their number in a list. */
function indexed(
  size: { readonly width: number; readonly height: number },
  at: (x: number, y: number, channel: number) => number,
  chunks: ReadonlyMap<string, readonly Buffer[]>,
): StoredImage {
  const [colours = Buffer.alloc(0)] = chunks.get('PLTE') ?? [];
  const alpha = chunks.get('tRNS')?.[0];
  return {
    ...size,
    samples: alpha ? 4 : 3,
    sample(x, y, index) {
      const number = at(x, y, 0);
      return index === 3 ? (alpha?.[number] ?? 255) : (colours[number * 3 + index] ?? 0);
    },
  };
}

function readChunks(file: Buffer): ReadonlyMap<string, Buffer[]> {
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at + 12 <= file.length; ) {
    const length = file.readUInt32BE(at);
    const name = file.toString('latin1', at + 4, at + 8);
    chunks.set(name, [...(chunks.get(name) ?? []), file.subarray(at + 8, at + 8 + length)]);
    at += 12 + length;
  }
  return chunks;
}

/** Each line is stored as the difference to what stands left of it and above it (PNG specification, section 9). */
function unfilter(stored: Buffer, { stride, step, height }: { stride: number; step: number; height: number }): void {
  for (let y = 0; y < height; y++) {
    const line = y * (stride + 1) + 1;
    const filter = stored[line - 1];
    for (let x = 0; x < stride; x++) {
      const left = x < step ? 0 : (stored[line + x - step] ?? 0);
      const up = y === 0 ? 0 : (stored[line + x - stride - 1] ?? 0);
      const upLeft = y === 0 || x < step ? 0 : (stored[line + x - stride - 1 - step] ?? 0);
      stored[line + x] = (stored[line + x] ?? 0) + predict(filter, left, up, upLeft);
    }
  }
}

function predict(filter: number | undefined, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const estimate = left + up - upLeft;
  const [toLeft, toUp, toUpLeft] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - upLeft)];
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}

export function writePng({ width, height, samples, data }: Pixels): Buffer {
  const stride = width * samples;
  const lines = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    const line = y * (stride + 1);
    // The difference to the pixel at the left.
    lines[line] = 1;
    for (let x = 0; x < stride; x++) {
      const left = x < samples ? 0 : (data[y * stride + x - samples] ?? 0);
      lines[line + 1 + x] = (data[y * stride + x] ?? 0) - left;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, samples === 4 ? 6 : 2, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
